// SPDX-License-Identifier: Apache-2.0
// Where a launch's runs stand in its file, and what of them was measured by an earlier launch of the same
// plan.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "src/core/text/usage.h"
#include "src/hdf5/h5.h"
#include "src/hdf5/launch_plan.h"
#include "src/hdf5/layout.h"

namespace breakeven {

struct PlacedPlan {
  hsize_t first_run = 0;          // place of runs[0] in the file
  std::vector<RecordedRun> runs;  // labelled as in the file, without numbers
};

// As new runs of a new launch, behind what is there.
PlacedPlan place_behind(const Extents& before, const LaunchPlan& plan);

// As the last runs of the file, which a launch that was interrupted has left; the sentence of why they are
// not this plan's where their cases, settings or devices are others. Needs of plan.launch its settings, its
// environment and its ranks.
std::variant<PlacedPlan, UsageError> find_plan(hid_t file, const std::string& path, const LaunchPlan& plan);
std::variant<PlacedPlan, UsageError> find_plan(const std::string& path, const LaunchPlan& plan);

}  // namespace breakeven
