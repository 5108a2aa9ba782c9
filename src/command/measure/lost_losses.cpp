// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/lost_losses.h"

#include <cstdio>

#include <fmt/format.h>

namespace breakeven {

void LostLosses::made(const RecordedRun& run, const RunRecord* mine) {
  const bool is_lost = mine != nullptr && !ends_with_a_loss(*mine);
  if (session_.agree(is_lost ? ExitCode::wrong_numbers : ExitCode::success) == ExitCode::success) return;
  if (runs_++ == 0) first_ = label_of(run.planned.what);
}

ExitCode LostLosses::tell() const {
  if (runs_ == 0) return ExitCode::success;
  if (session_.is_root()) {
    fmt::print(stderr,
               "breakeven: the loss of the last step is not a number in {} runs (first: {}). If training "
               "diverges, use a smaller --learning-rate; otherwise the arithmetic is wrong\n",
               runs_, first_);
  }
  return ExitCode::wrong_numbers;
}

}  // namespace breakeven
