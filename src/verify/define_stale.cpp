// SPDX-License-Identifier: Apache-2.0
// Gradients one step late: every step applies the sum of the previous step's gradients. The first step
// applies zero.
#include "src/verify/serial_definition.h"
#include "src/verify/serial_ranks.h"

namespace breakeven::verify {

Trajectory define_stale(const Case& what, measure::RunContext& context, const Rounding& rounding) {
  SerialRanks ranks(what, context, context.settings_for(what, all_steps(context)), rounding);
  Device& device = ranks.device();
  const std::size_t floats = ranks.gradients(0).size();
  const std::size_t bytes = ranks.gradients(0).size_bytes();
  const Buffer kept(device, bytes, false, "sum of the gradients of the previous step");
  const Buffer sum(device, bytes, false, "sum of the gradients");
  return ranks.train_together([&] {
    device.copy(sum.as<>(), ranks.gradients(0).data(), bytes, ranks.stream());
    for (int rank = 1; rank < ranks.size(); ++rank)
      device.add(floats, ranks.gradients(rank).data(), sum.as<>(), ranks.stream());
    for (int rank = 0; rank < ranks.size(); ++rank) {
      device.copy(ranks.gradients(rank).data(), kept.as<>(), bytes, ranks.stream());
      ranks.forget_overflow(rank);
    }
    device.copy(kept.as<>(), sum.as<>(), bytes, ranks.stream());
  });
}

}  // namespace breakeven::verify
