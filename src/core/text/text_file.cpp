// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "src/core/handle.h"

namespace breakeven {
namespace {

using Descriptor = Handle<int, ::close, -1>;

// Does not wait for a FIFO's other end.
Descriptor open_to_read(const std::string& path) {
  return Descriptor(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
}

std::string cannot_be_read() {
  return fmt::format("cannot be read: {}", std::generic_category().message(errno));
}

std::string problem_of(const Descriptor& file) {
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0) return cannot_be_read();
  if (S_ISDIR(status.st_mode)) return "is a folder, not a file";
  return S_ISREG(status.st_mode) ? "" : "is not a regular file";
}

// Some editors begin a file with it.
std::string without_byte_order_mark(std::string text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark)) text.erase(0, mark.size());
  return text;
}

}  // namespace

std::string problem_of_file(const std::string& path) { return problem_of(open_to_read(path)); }

// A file that does not exist is tried under a name that no other rank tries at the same time.
std::string problem_of_output(std::string_view option, const std::string& path) {
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (path.empty() || (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))) return "";
  if (!exists && errno != ENOENT)
    return fmt::format("--{} '{}' cannot be written: {}", option, path,
                       std::generic_category().message(errno));
  std::string beside = std::filesystem::path(path).replace_filename(".breakeven-XXXXXX");
  const Descriptor file(exists ? open(path.c_str(), O_WRONLY | O_CLOEXEC)
                               : mkostemp(beside.data(), O_CLOEXEC));
  if (!file)
    return fmt::format("--{} '{}' cannot be written: {}", option, path,
                       std::generic_category().message(errno));
  if (!exists) unlink(beside.c_str());
  return "";
}

std::string problem_of_overwriting(std::string_view option, const std::string& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  char beginning[signature.size()] = {};
  const Descriptor file = open_to_read(path);
  if (problem_of(file).empty() && read(file.get(), beginning, sizeof beginning) == sizeof beginning &&
      std::string_view(beginning, sizeof beginning) == signature)
    return fmt::format("--{} would overwrite the results file '{}'", option, path);
  return "";
}

std::variant<std::string, UsageError> read_text_file(const std::string& path) {
  const Descriptor file = open_to_read(path);
  if (std::string problem = problem_of(file); !problem.empty()) return UsageError{std::move(problem)};
  std::string text;
  while (text.size() <= largest_text_file_bytes) {
    char part[65536];
    const ssize_t bytes = read(file.get(), part, sizeof part);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return UsageError{cannot_be_read()};
    if (bytes == 0) return without_byte_order_mark(std::move(text));
    text.append(part, static_cast<std::size_t>(bytes));
  }
  return UsageError{fmt::format("is larger than {} MiB", largest_text_file_bytes >> 20)};
}

}  // namespace breakeven
