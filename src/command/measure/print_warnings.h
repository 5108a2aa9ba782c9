// SPDX-License-Identifier: Apache-2.0
// What rank 0 says of a command line that can still be meant.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "mpi/session.h"

namespace breakeven {

inline void print_warnings(const Session& session, const std::vector<std::string>& warnings) {
  if (!session.is_root()) return;
  for (const std::string& warning : warnings) fmt::print(stderr, "breakeven: warning: {}\n", warning);
}

}  // namespace breakeven
