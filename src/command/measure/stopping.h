// SPDX-License-Identifier: Apache-2.0
// What a launch that is asked to stop says, at every stage: one line with the command that goes on.
#pragma once

#include <string>

#include "mpi/session.h"
#include "src/command/measure/launch.h"
#include "src/hdf5/launch_plan.h"

namespace breakeven::command {

// Before MPI starts, on the rank 0 that the environment names.
void say_how_to_start_again(int argc, char** argv);
// The same once the number of ranks is known. Until a results file is made.
void say_how_to_start_again(const Session& session, const std::string& command_line);

// From just before the results file is made, and again once a run is in it. What `auto` chooses may differ,
// so a launch with it is not resumed. False on rank 0 if something else has been said.
bool say_how_to_go_on(const LaunchSetup& setup, const hdf5::LaunchPlan& plan, bool has_runs);
// The same, unless the launch is asked to stop: then the file must not be made, because what has been said is
// how to start again. Collective.
bool may_make_file(const LaunchSetup& setup, const hdf5::LaunchPlan& plan, bool has_runs);

// Once all runs are in the file.
void say_how_to_read(const LaunchSetup& setup);

// Whether the launch is asked to stop. Collective.
bool is_asked_to_stop(const Session& session);

// Whether the job was suspended since `before` (times_continued()), and no request to stop follows: mpirun
// continues its ranks a second before it asks them to end. Collective.
bool was_only_suspended(const Session& session, unsigned before);

}  // namespace breakeven::command
