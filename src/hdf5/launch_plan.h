// SPDX-License-Identifier: Apache-2.0
// What a launch is going to measure, and into which file.
#pragma once

#include <vector>

#include "src/core/records/results.h"

namespace breakeven {

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

}  // namespace breakeven
