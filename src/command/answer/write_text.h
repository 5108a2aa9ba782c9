// SPDX-License-Identifier: Apache-2.0
// Whole texts onto standard output or into files.
#pragma once

#include <string>
#include <string_view>

namespace breakeven::command {

// An empty path is standard output. Throws Failure(file) where not everything could be written; `what` says
// in the sentence what it was: "the report".
void write_text(const std::string& text, const std::string& path, std::string_view what);

}  // namespace breakeven::command
