// SPDX-License-Identifier: Apache-2.0
#include "src/core/level.h"

#include <fmt/format.h>

#include "src/core/failure.h"

namespace breakeven {

void refuse_unknown(std::string_view word) {
  throw Failure(
      ExitCode::file,
      fmt::format("the file has a case with '{}', which this version of the program does not know", word));
}

}  // namespace breakeven
