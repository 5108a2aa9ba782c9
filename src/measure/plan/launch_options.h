// SPDX-License-Identifier: Apache-2.0
// The options of a launch that the measuring commands share. Each adds the option of its name and stores into
// its last parameter, which must live until the options are read.
#pragma once

#include <string>

#include "src/core/text/command_options.h"

namespace breakeven::measure {

// The longest time of an option: a year, which every clock can count.
inline constexpr double longest_seconds = 31536000;

void add_backend(CommandOptions& options, std::string& backend);
void add_gemm_table(CommandOptions& options, std::string& path);
void add_share_gpus(CommandOptions& options, bool& share_gpus);
void add_timeout(CommandOptions& options, const char* meaning, double& seconds);

// The table's name in a results file; the empty path is the table that comes with the program.
std::string recorded_gemm_table(const std::string& path);

}  // namespace breakeven::measure
