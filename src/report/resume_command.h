// SPDX-License-Identifier: Apache-2.0
// The command that finishes an interrupted launch.
#pragma once

#include <cstddef>
#include <string>

namespace breakeven::report {

// Of a launch of `breakeven run` on so many ranks, by its recorded command line.
std::string resume_command(std::size_t ranks, std::string command_line);

}  // namespace breakeven::report
