// SPDX-License-Identifier: Apache-2.0
// `breakeven verify --random`.
#pragma once

#include "src/command/measure/launch.h"
#include "src/verify/verdict.h"

namespace breakeven::command {

void print_checks(const verify::Verdict& verdict);

// Verifies the random cases and prints a line for each; of one that fails also its checks and the command
// that repeats it. Ends with how many there were of each strategy, precision, kernel and so on.
ExitCode verify_random(const LaunchSetup& setup);

}  // namespace breakeven::command
