// SPDX-License-Identifier: Apache-2.0
// How a measuring command starts and ends on all ranks.
#pragma once

#include <functional>

#include "mpi/session.h"
#include "src/core/failure.h"

namespace breakeven::command {

// Starts the watchdog, then MPI, and calls `work` on every rank. Ends the job with the highest code of all
// ranks, or with ExitCode::file if rank 0's output could not be written.
ExitCode with_session(int argc, char** argv, ExitCode (*work)(const Session& session, int argc, char** argv));

// What every rank does by itself, such as reading a file. If it fails on any, the first of those ranks says
// why, and all get the highest exit code of the Failures. Collective.
ExitCode on_every_rank(const Session& session, const std::function<void()>& work);

// On rank 0: says that times may be wrong if any rank has been suspended so far. Collective.
void warn_of_pauses(const Session& session);

}  // namespace breakeven::command
