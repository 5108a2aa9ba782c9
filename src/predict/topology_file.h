// SPDX-License-Identifier: Apache-2.0
// The levels of a machine from a file, such as jobs/topologies/*.ini.
#pragma once

#include <string>
#include <variant>

#include "src/core/text/usage.h"
#include "src/predict/interconnect.h"

namespace breakeven::predict {

// Lines as those of a suite:
//     name = a sentence about the machine
//     level = NAME, JOINS, measured               the lowest level first
//     level = NAME, JOINS, LATENCY, BANDWIDTH     such as: infiniband, 32, 2us, 50GB/s
// The error names the file and what is legal.
std::variant<Machine, UsageError> read_topology(const std::string& path);

// The same of the file's text; `path` is for the error.
std::variant<Machine, UsageError> parse_topology(const std::string& text, const std::string& path);

}  // namespace breakeven::predict
