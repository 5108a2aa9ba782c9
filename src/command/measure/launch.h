// SPDX-License-Identifier: Apache-2.0
// What `run` and `verify` do first: from the command line to a device and a list of cases.
#pragma once

#include <memory>
#include <vector>

#include "kernels/device.h"
#include "mpi/session.h"
#include "src/core/case.h"
#include "src/data/dataset.h"
#include "src/measure/plan/options.h"
#include "src/measure/plan/plan.h"

namespace breakeven::command {

struct LaunchSetup {
  const Session* session = nullptr;  // borrowed
  measure::RunOptions options;
  std::unique_ptr<Device> device;
  std::unique_ptr<data::DatasetFile> dataset;  // null: synthetic
  measure::Offer offer;
  std::vector<Case> cases;
  bool go_on = false;  // false: a refusal or the help was printed; return `code`
  ExitCode code = ExitCode::success;
};

// Refuses bad options before anything is allocated on a device: rank 0 prints one sentence, and all ranks get
// the same code. `add_more` adds options of the command's own. Collective over all ranks of the job.
LaunchSetup set_up_launch(const Session& session, int argc, char** argv, const measure::RunOptions& defaults,
                          const measure::AddOptions& add_more = {});

}  // namespace breakeven::command
