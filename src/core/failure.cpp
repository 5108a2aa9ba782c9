// SPDX-License-Identifier: Apache-2.0
#include "src/core/failure.h"

#include <fmt/format.h>

namespace breakeven {
namespace {

std::string line_of(std::string_view call, const char* file, int line, const std::string& said,
                    const std::string& doing) {
  return fmt::format("{}:{}: {} -> {}{}", file, line, call, said,
                     doing.empty() ? "" : fmt::format(" ({})", doing));
}

}  // namespace

Failure failed_call(std::string_view call, const char* file, int line, const std::string& said,
                    std::string_view doing, std::size_t bytes) {
  const bool has_size = bytes != 0 && !doing.empty();
  return {ExitCode::environment,
          line_of(call, file, line, said,
                  has_size ? fmt::format("{}, {} bytes", doing, bytes) : std::string(doing))};
}

Failure misused_call(std::string_view call, const char* file, int line, const std::string& said,
                     std::string_view arguments) {
  return {ExitCode::wrong_numbers, line_of(call, file, line, said, std::string(arguments))};
}

}  // namespace breakeven
