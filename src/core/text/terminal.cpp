// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "src/core/handle.h"

namespace breakeven {
namespace {

// If a terminal does not report its size.
constexpr TerminalSize usual{80, 24};

TerminalSize size_of(int descriptor) {
  if (isatty(descriptor) == 0) return {};
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return usual;
  return {size.ws_col, size.ws_row};
}

// A terminal that cannot move its cursor counts as a log.
bool moves_cursor() {
  const char* const kind = std::getenv("TERM");
  return kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
}

}  // namespace

TerminalSize terminal_size() {
  if (!moves_cursor()) return {};
  if (isatty(STDERR_FILENO) != 0) return size_of(STDERR_FILENO);
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return {};
  const std::string of_launcher = "/proc/" + std::to_string(getppid()) + "/fd/2";
  const Handle<int, ::close, -1> descriptor(open(of_launcher.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  return descriptor ? size_of(descriptor.get()) : TerminalSize{};
}

bool shows_colour() {
  const char* const refusal = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && moves_cursor() && (refusal == nullptr || *refusal == '\0');
}

}  // namespace breakeven
