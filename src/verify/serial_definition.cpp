// SPDX-License-Identifier: Apache-2.0
// The serial definition of data parallelism, and so of every exact strategy; the table of the lossy ones.
#include "src/verify/serial_definition.h"

#include <algorithm>
#include <array>

#include "src/verify/serial_ranks.h"

namespace breakeven::verify {
namespace {

constexpr std::array table{
    LossyStrategy{"ddp", define_compressed},              // with compression
    LossyStrategy{"async-server", define_data_parallel},  // one rank; several: replay_async_server
    LossyStrategy{"local-sgd", define_local_sgd},
    LossyStrategy{"stale", define_stale},
};

// Gives every rank the sum in rank order, as an all-reduce does. An overflow on one rank is part of the sum,
// so all ranks skip the step.
void add_gradients(SerialRanks& ranks) {
  const std::span<float> sum = ranks.gradients(0);
  for (int rank = 1; rank < ranks.size(); ++rank)
    ranks.device().add(sum.size(), ranks.gradients(rank).data(), sum.data(), ranks.stream());
  for (int rank = 1; rank < ranks.size(); ++rank)
    ranks.device().copy(ranks.gradients(rank).data(), sum.data(), sum.size_bytes(), ranks.stream());
}

// On every rank, by the norm of the whole gradient.
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

Trajectory define_data_parallel(const Case& what, measure::RunContext& context, const Rounding& rounding) {
  const StrategyOptions options = strategy_of_case(what).options;
  SerialRanks ranks(what, context, context.settings_for(what, all_steps(context)), rounding);
  const Buffer square(context.device(), sizeof(double), false, "square of the gradient's norm");
  return ranks.train_together([&] {
    add_gradients(ranks);
    if (options.clip_norm > 0) clip_gradients(ranks, options.clip_norm, square);
  });
}

std::span<const LossyStrategy> lossy_strategies() { return table; }

SerialDefinition serial_definition_of(const StrategyChoice& strategy) {
  if (strategy.info->promise(strategy.options).exact) return define_data_parallel;
  const auto known = std::ranges::find(lossy_strategies(), strategy.info->name, &LossyStrategy::name);
  return known != lossy_strategies().end() ? known->definition : nullptr;
}

}  // namespace breakeven::verify
