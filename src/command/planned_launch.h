// SPDX-License-Identifier: Apache-2.0
// What `run` is going to write into its file: the runs in their order, and the machine that they run on.
#pragma once

#include <string>

#include "src/command/launch.h"
#include "src/file/results_writer.h"
#include "src/measure/workbench.h"

namespace breakeven {

// The runs, and of the launch what is known without measuring anything. Collective over the world.
LaunchPlan plan_launch(const LaunchSetup& setup, int argc, char** argv, const std::string& driver_version);

// Fills in the links between the ranks, the ceilings of their devices and what the exchange takes: seconds.
// Collective over the world.
void measure_machine(const LaunchSetup& setup, Workbench& bench, LaunchPlan& plan);

}  // namespace breakeven
