// SPDX-License-Identifier: Apache-2.0
// What `run` does before it measures: the plan with its memory needs, and the description of the machine.
#pragma once

#include <string>
#include <vector>

#include "src/command/measure/auto_cases.h"
#include "src/command/measure/launch.h"
#include "src/hdf5/parallel/results_writer.h"
#include "src/measure/run_context.h"

namespace breakeven::command {

// The need of the rank that needs most. Every rank adds up the needs of all ranks, so all get the same
// answer.
MemoryNeed largest_memory_need(const Case& what, const measure::RunContext& context);

// For --memory-limit: what the first case that exceeds the limit needs on a rank, as a sum; "" if all fit, or
// there is no limit.
std::string over_memory_limit(const std::vector<Case>& cases, const measure::RunContext& context);

// For --dry-run, on rank 0.
void print_plan(const LaunchSetup& setup, const std::vector<AskedChoice>& choices,
                const measure::RunContext& context);

// The runs, and what is known about the launch without measuring. Collective over the world.
hdf5::LaunchPlan plan_launch(const LaunchSetup& setup, int argc, char** argv,
                             const std::string& driver_version);

// For each run the place of its case in `cases`.
std::vector<std::size_t> case_of_each(const std::vector<RecordedRun>& runs, const std::vector<Case>& cases);

// Measures the links between the ranks, and for what the cases use the devices' roofline and the times of
// messages. Collective over the world.
void measure_machine(const LaunchSetup& setup, const std::vector<Case>& to_train,
                     measure::RunContext& context, hdf5::LaunchPlan& plan);

// Chooses the strategies of cases with `--strategies auto`, and puts them into the setup's cases and the
// plan's runs. False if the launch was asked to stop. Collective over the world.
bool choose_strategies(AskedChoices asked, LaunchSetup& setup, measure::RunContext& context,
                       hdf5::LaunchPlan& plan);

}  // namespace breakeven::command
