// SPDX-License-Identifier: Apache-2.0
// Whether standard error is a terminal, and its size; whether standard output takes colour.
#pragma once

#include <cstddef>

namespace breakeven {

// 0 by 0: a log, not a terminal.
struct TerminalSize {
  std::size_t columns = 0;
  std::size_t rows = 0;
};

// Open MPI's launcher reads its ranks' standard error through a pipe: there, the launcher's own counts.
TerminalSize terminal_size();

// Whether standard output is a terminal whose user has not asked for no colour: NO_COLOR
// (https://no-color.org).
bool shows_colour();

}  // namespace breakeven
