// SPDX-License-Identifier: Apache-2.0
// What the commands share that work from results files alone.
#pragma once

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "src/command/answer/write_text.h"
#include "src/core/failure.h"
#include "src/core/text/usage.h"

namespace breakeven {

// What is written over the file that it was made from would destroy the measurement.
inline bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code ignored;
  return one == other || std::filesystem::equivalent(one, other, ignored);
}

inline bool is_one_of_files(const std::string& path, const std::vector<std::string>& files) {
  return std::ranges::any_of(files, [&](const std::string& file) { return is_same_file(file, path); });
}

// Where the options are answered already: a sentence that refuses them, or the help.
template <typename Options>
std::optional<ExitCode> answered(std::string_view command,
                                 const std::variant<Options, UsageError, HelpText>& parsed) {
  if (const auto* error = std::get_if<UsageError>(&parsed)) {
    fmt::print(stderr, "breakeven {}: {}\n", command, error->sentence);
    return ExitCode::usage;
  }
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    write_text(help->text, "", "the help");
    return ExitCode::success;
  }
  return {};
}

}  // namespace breakeven
