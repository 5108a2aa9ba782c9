// SPDX-License-Identifier: Apache-2.0
// Reads a small text file that an option names. What is no regular file is refused before it is opened for
// good: a FIFO would block, a device might never end.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "src/core/text/usage.h"

namespace breakeven {

// More than any suite, topology or table of kernels.
inline constexpr std::size_t largest_text_file_bytes = 1 << 20;

// Why the path names no file that can be read, to stand behind the path in a sentence, or "":
// "is a folder, not a file".
std::string problem_of_file(const std::string& path);

// Why an option's file cannot be written, by the system's words, or "": to be said before anything is
// measured. "" stands for no path. Creates and removes a file beside one that does not exist yet.
std::string problem_of_output(std::string_view option, const std::string& path);

// Why an option's text may not take the place of this file, or "": it is in HDF5, as results are.
std::string problem_of_overwriting(std::string_view option, const std::string& path);

// The text, or why there is none: as problem_of_file(), or "is larger than 1 MiB".
std::variant<std::string, UsageError> read_text_file(const std::string& path);

}  // namespace breakeven
