// SPDX-License-Identifier: Apache-2.0
// What `run` will write to its file: the runs in their order, and the machine that they run on.
#pragma once

#include <string>
#include <vector>

#include "src/command/measure/auto_cases.h"
#include "src/command/measure/launch.h"
#include "src/hdf5/parallel/results_writer.h"
#include "src/measure/run_context.h"

namespace breakeven {

// The runs, and of the launch what is known without measuring anything. Collective over the world.
LaunchPlan plan_launch(const LaunchSetup& setup, int argc, char** argv, const std::string& driver_version);

// Fills in the links between the ranks, and of what the cases use the ceilings of the devices and what the
// exchange takes: seconds. Collective over the world.
void measure_machine(const LaunchSetup& setup, const std::vector<Case>& to_train, RunContext& bench,
                     LaunchPlan& plan);

// Probes and chooses where cases leave it to the launch; from here on the setup's cases, and the plan's runs,
// have what was chosen. False where the launch was asked to stop. Collective over the world.
bool choose_ways(AskedChoices asked, LaunchSetup& setup, RunContext& bench, LaunchPlan& plan);

}  // namespace breakeven
