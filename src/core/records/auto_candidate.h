// SPDX-License-Identifier: Apache-2.0
// What `--strategies auto` saw of one of the ways that it chose among.
#pragma once

#include <cstdint>
#include <string>

#include "src/core/records/run_record.h"

namespace breakeven {

// Seconds are of a step, bounds of 95 %; NaN where there are none.
struct AutoCandidate {
  std::string strategy;
  int gpus = 0;
  double predicted_seconds = not_measured;  // before it was probed, by the step model
  double predicted_low = not_measured;
  double predicted_high = not_measured;
  double probed_seconds =
      not_measured;  // NaN: not probed, since the prediction ruled it out or it stood alone
  double probed_low = not_measured;
  double probed_high = not_measured;
  std::uint32_t probe_steps = 0;  // over all rounds
};

}  // namespace breakeven
