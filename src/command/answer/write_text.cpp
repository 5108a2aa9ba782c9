// SPDX-License-Identifier: Apache-2.0
#include "src/command/answer/write_text.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

#include "src/core/failure.h"

namespace breakeven::command {

// A full disk shows at the latest when the stream is flushed.
void write_text(const std::string& text, const std::string& path, std::string_view what) {
  std::FILE* stream = path.empty() ? stdout : std::fopen(path.c_str(), "wb");
  bool right = stream != nullptr && std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  right = stream != nullptr && std::fflush(stream) == 0 && right;
  if (!path.empty() && stream != nullptr) right = std::fclose(stream) == 0 && right;
  if (right) return;
  throw Failure(ExitCode::file,
                fmt::format("{} ({} bytes) cannot be written to {}: {}", what, text.size(),
                            path.empty() ? "standard output" : path, std::generic_category().message(errno)));
}

}  // namespace breakeven::command
