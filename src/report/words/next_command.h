// SPDX-License-Identifier: Apache-2.0
// What to type next, by the recorded command line: where nothing was compared, or runs are left.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/core/case.h"
#include "src/core/records/results.h"

namespace breakeven::report {

// The command that finishes an interrupted launch of `breakeven run` on so many ranks, by its recorded
// command line.
std::string resume_command(std::size_t ranks, const std::string& command_line);
// The one that measures all again, into the same file.
std::string append_command(std::size_t ranks, const std::string& command_line);

// The command that compares one GPU with several where a launch on so many ranks with these cases did not:
// without the options that kept it from that. Two ranks at least.
std::string comparing_command(const std::vector<Case>& cases, std::size_t ranks,
                              const std::string& command_line);

// The sentences for a file in which nothing was compared: that, why, and what to type.
std::string nothing_compared(const Results& results);

}  // namespace breakeven::report
