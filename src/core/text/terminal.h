// SPDX-License-Identifier: Apache-2.0
// Whether somebody looks at what goes to standard error, and how much of it is seen at once.
#pragma once

#include <cstddef>

namespace breakeven {

// 0 by 0: no terminal, but a log.
struct TerminalSize {
  std::size_t columns = 0;
  std::size_t rows = 0;
};

// Open MPI's launcher reads its ranks' standard error through a pipe: there it is its own that counts.
TerminalSize terminal_size();

}  // namespace breakeven
