// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/case_strategy.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "src/core/model/model_shape.h"

namespace breakeven {

StrategyTraits traits_of(const Case& what) {
  const StrategyChoice* strategy = trained_strategy(what).known();
  return strategy != nullptr ? strategy->info->traits : StrategyTraits{};
}

bool is_exact(const Case& what) {
  const StrategyChoice* strategy = trained_strategy(what).known();
  return strategy == nullptr ||
         (!strategy->info->traits.copies && strategy->info->promise(strategy->options).exact);
}

double samples_a_step(const Case& what) {
  const double batch = what.batch;
  return traits_of(what).copies ? batch * what.gpus : batch;
}

std::uint32_t rows_a_gpu(const Case& what) {
  return traits_of(what).copies ? what.batch : what.batch / static_cast<std::uint32_t>(what.gpus);
}

std::uint32_t batch_of_baseline(const Case& what) {
  return what.scaling == Scaling::weak ? rows_a_gpu(what) : what.batch;
}

std::string label_with_rows(const Case& what) {
  return label_of(what) + (what.scaling == Scaling::weak ? fmt::format(" ({} a GPU)", rows_a_gpu(what)) : "");
}

Shard shard_of(std::uint32_t global_batch, int rank, int ranks) {
  const std::uint32_t rows = global_batch / static_cast<std::uint32_t>(ranks);
  return {static_cast<std::uint32_t>(rank) * rows, rows};
}

std::string uneven_batch(std::uint32_t batch, int gpus) {
  const auto sharers = static_cast<std::uint32_t>(gpus);
  if (batch % sharers == 0) return "";
  const std::uint32_t below = batch / sharers * sharers;
  return fmt::format("batch {} does not divide evenly over {} GPUs; use {}{}", batch, gpus,
                     below > 0 ? fmt::format("{} or ", below) : "", below + sharers);
}

MlpSettings mlp_of_case(const Case& what, int rank) {
  const StrategyTraits& traits = strategy_of_case(what).info->traits;
  const bool all_rows = traits.copies || traits.splits_model;
  const Shard shard = all_rows ? Shard{0, what.batch} : shard_of(what.batch, rank, what.gpus);
  MlpSettings settings;
  settings.shape = what.model.value();
  settings.global_batch = what.batch;
  settings.first_sample = shard.first_sample;
  settings.rows = shard.rows;
  settings.precision = what.precision.value();
  if (traits.copies) settings.share = 1.0f / static_cast<float>(what.gpus);
  return settings;
}

std::vector<int> ranks_that_differ(int ranks) {
  constexpr int first_ones = 64;
  std::vector<int> some(static_cast<std::size_t>(std::min(ranks, first_ones)));
  std::iota(some.begin(), some.end(), 0);
  if (ranks > first_ones) some.push_back(ranks - 1);
  return some;
}

bool has_formula(const Case& what) {
  return trained_strategy(what).known() != nullptr && what.model.known() != nullptr &&
         what.precision.known().has_value();
}

std::optional<std::vector<Message>> messages_of_case(const Case& what, int rank) {
  if (!has_formula(what) || what.gpus < 1) return std::nullopt;
  const StrategyChoice& strategy = strategy_of_case(what);
  const MlpSettings whole = mlp_of_case(what, rank);
  if (!strategy.info->refusal(strategy.options, {whole.shape, what.batch, what.gpus}).empty())
    return std::nullopt;
  return strategy.info->messages(strategy.options, whole, rank, what.gpus);
}

}  // namespace breakeven
