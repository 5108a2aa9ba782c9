// SPDX-License-Identifier: Apache-2.0
// How the program ends when something throws: one line, and no rank left waiting for another.
#pragma once

#include <string>

#include "src/core/failure.h"

namespace breakeven {

// After this call, an uncaught exception prints "[rank 3 node07 gpu 3] what() (while: activity)" on stderr,
// once, and ends the job with the failure's exit code: the other ranks first, where there are any, then this
// process. For an exception of the standard library, the line says in this program's words what was too large
// or could not be read. SIGALRM ends this process with ExitCode::timeout; the watchdog sends it.
void install_terminate_handler();

// Ends the job in the same way, from where an exception cannot reach main.
[[noreturn]] void end_job(ExitCode code, const std::string& cause);

// Sets the function that ends the other ranks of a launch. The session calls it once.
void end_other_ranks_by(void (*end)(int code));

// The line that is printed, for this process or, with this one's activity, for another rank of this host.
std::string last_words(int rank, const std::string& cause);

// What the line says about this process (process_state.h).
void report_rank_as(int rank, const std::string& host);
void report_gpu_as(int gpu);                    // -1: the host device
void report_input_as(const std::string& text);  // "a.h5, b.h5": what is too large where memory runs out

// "run 12: medium, batch 64, ddp on 2 GPUs". Each call restarts the watchdog's clock.
void report_activity_as(const std::string& text);

}  // namespace breakeven
