// SPDX-License-Identifier: Apache-2.0
// What a launch is going to measure, and where its runs stand in the results file.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "src/core/records/results.h"
#include "src/core/text/usage.h"

namespace breakeven::hdf5 {

enum class OpenMode {
  create,  // refuses to overwrite an existing file
  append,  // adds a launch to an existing file (made where there is none)
  resume,  // measures what the last plan of an existing file lacks (made where there is none)
};

// The same on every rank, except that only rank 0's text is stored.
struct LaunchPlan {
  Launch launch;
  std::vector<RecordedRun> runs;  // label, launch and status are filled in by the writer; ranks are empty
};

struct PlacedPlan {
  std::size_t first_run = 0;      // place of runs[0] in the file
  std::vector<RecordedRun> runs;  // labelled as in the file, without numbers
};

// Places the runs as a new launch, behind the runs that the file holds.
PlacedPlan place_behind(const Results& before, const LaunchPlan& plan);

// Finds the runs as the last runs of the file, which an interrupted launch has left. Returns a sentence where
// their cases, settings or devices differ from the plan's. plan.launch must have settings, environment and
// ranks.
std::variant<PlacedPlan, UsageError> find_plan(const Results& file, const LaunchPlan& plan);

}  // namespace breakeven::hdf5
