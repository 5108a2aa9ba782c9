// SPDX-License-Identifier: Apache-2.0
// Data parallelism, and with it every exact strategy.
#include "src/verify/serial_definition.h"
#include "src/verify/serial_ranks.h"

namespace breakeven {
namespace {

// Every rank gets the sum in rank order, as an all-reduce gives it: with whatever has overflowed in it, so
// that all of them skip the step.
void add_gradients(SerialRanks& ranks) {
  const std::span<float> sum = ranks.gradients(0);
  for (int rank = 1; rank < ranks.size(); ++rank)
    ranks.device().add(sum.size(), ranks.gradients(rank).data(), sum.data(), ranks.stream());
  for (int rank = 1; rank < ranks.size(); ++rank)
    ranks.device().copy(ranks.gradients(rank).data(), sum.data(), sum.size_bytes(), ranks.stream());
}

// Of the whole gradient, on every rank.
void clip_gradients(SerialRanks& ranks, float limit, const Buffer& square) {
  Device& device = ranks.device();
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const std::span<float> gradient = ranks.gradients(rank);
    device.sum_of_squares(gradient.size(), gradient.data(), ranks.step_state(rank), {square.as<double>(), 1},
                          ranks.stream());
    device.clip_to_norm(gradient.size(), square.as<double>(), limit, gradient.data(), ranks.stream());
  }
}

}  // namespace

Trajectory define_data_parallel(const Case& what, RunContext& bench, std::uint32_t pieces) {
  const std::uint32_t steps = all_steps(bench);
  const StrategyOptions options = strategy_of_case(what).options;
  SerialRanks ranks(what, bench, bench.settings_for(what, steps), pieces);
  const Buffer square(bench.device(), sizeof(double), false, "square of the gradient's norm");
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (int rank = 0; rank < ranks.size(); ++rank) ranks.make_gradient(rank);
    add_gradients(ranks);
    if (options.clip_norm > 0) clip_gradients(ranks, options.clip_norm, square);
    for (int rank = 0; rank < ranks.size(); ++rank) ranks.update(rank);
    ranks.note_gradient(0);
  }
  return ranks.trajectory(ranks.parameters(0));
}

}  // namespace breakeven
