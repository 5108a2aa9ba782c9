// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace breakeven {
namespace {

int output_error = 0;  // errno of the first failure on standard output

}  // namespace

void write_quietly(std::FILE* stream, const std::string& text) {
  const bool right = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (!right && stream == stdout && output_error == 0) output_error = errno;
}

void prepare_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    const int access = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", access) < 0)
      _exit(static_cast<int>(ExitCode::environment));  // takes the lowest free one
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

ExitCode code_after_output(ExitCode code) {
  if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno;
  if (output_error == 0 && std::ferror(stdout) == 0) return code;
  if (code != ExitCode::file)
    print_error("breakeven: standard output cannot be written: {}\n", std::strerror(output_error));
  return ExitCode::file;
}

}  // namespace breakeven
