// SPDX-License-Identifier: Apache-2.0
// Gradients one step late: the sum of the ranks' gradients is kept for a step, and the one that was kept
// before it is applied; the first step applies zero.
#include "src/verify/serial_definition.h"
#include "src/verify/serial_ranks.h"

namespace breakeven {

Trajectory define_stale(const Case& what, RunContext& bench, std::uint32_t pieces) {
  const std::uint32_t steps = all_steps(bench);
  SerialRanks ranks(what, bench, bench.settings_for(what, steps), pieces);
  Device& device = ranks.device();
  const std::size_t floats = ranks.gradients(0).size();
  const std::size_t bytes = ranks.gradients(0).size_bytes();
  const Buffer kept(device, bytes, false, "sum of the gradients of the previous step");
  const Buffer sum(device, bytes, false, "sum of the gradients");
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (int rank = 0; rank < ranks.size(); ++rank) ranks.make_gradient(rank);
    device.copy(sum.as<>(), ranks.gradients(0).data(), bytes, ranks.stream());
    for (int rank = 1; rank < ranks.size(); ++rank)
      device.add(floats, ranks.gradients(rank).data(), sum.as<>(), ranks.stream());
    for (int rank = 0; rank < ranks.size(); ++rank) {
      device.copy(ranks.gradients(rank).data(), kept.as<>(), bytes, ranks.stream());
      ranks.forget_overflow(rank);
      ranks.update(rank);
    }
    ranks.note_gradient(0);
    device.copy(kept.as<>(), sum.as<>(), bytes, ranks.stream());
  }
  return ranks.trajectory(ranks.parameters(0));
}

}  // namespace breakeven
