// SPDX-License-Identifier: Apache-2.0
// What `run` and `verify` have in common: from the command line to a device and a list of cases.
#pragma once

#include <memory>
#include <vector>

#include "kernels/device.h"
#include "mpi/session.h"
#include "src/core/case.h"
#include "src/data/dataset.h"
#include "src/measure/plan/options.h"
#include "src/measure/plan/plan.h"

namespace breakeven {

// Destroyed from the last member to the first: the device before MPI.
struct LaunchSetup {
  std::unique_ptr<Session> session;
  RunOptions options;
  std::unique_ptr<Device> device;
  std::unique_ptr<DatasetFile> dataset;  // null: synthetic
  Offer offer;
  std::vector<Case> cases;
  bool go_on = false;  // false: the sentence or the help is printed, return `code`
  ExitCode code = ExitCode::success;
};

// Collective over all ranks of the job. Everything that can be refused is refused here, before anything is
// allocated on a device, with one sentence by rank 0 and the same code on all ranks.
LaunchSetup set_up_launch(int argc, char** argv, const RunOptions& defaults);

}  // namespace breakeven
