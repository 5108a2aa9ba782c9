// SPDX-License-Identifier: Apache-2.0
// What `run` says when it has measured.
#pragma once

#include <string>

#include "src/core/failure.h"

namespace breakeven::command {

// The answer of the whole file, earlier launches included, how many warnings the report has, and whether its
// numbers can be right (tell_wrong_numbers).
ExitCode tell_answer(const std::string& path);

// As wide as the terminal, but no wider than a report.
std::string wrapped_to_terminal(const std::string& text);

}  // namespace breakeven::command
