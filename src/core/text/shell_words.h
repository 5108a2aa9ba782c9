// SPDX-License-Identifier: Apache-2.0
// Command lines as a shell reads them (POSIX.1-2017, Shell Command Language, 2.2 Quoting), so that a recorded
// or printed command can be pasted, and a file's text never becomes a command of its own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven {

// {"run", "--batches", "16, 32"} -> "run --batches '16, 32'"
std::string shell_line(std::span<const std::string> words);

// The words of such a line. What is not closed, and every character that a shell would treat otherwise,
// stands for itself.
std::vector<std::string> words_of_shell_line(std::string_view line);

}  // namespace breakeven
