// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/kept_activations.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace breakeven {
namespace {

// Memory is least where the number of checkpoints equals the number of layers between two of them.
std::uint32_t preset_layers_a_checkpoint(const ModelShape& shape) {
  return static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(shape.layers()))));
}

// The numbers next to `count` that divide the rows: "4 or 6".
std::string next_divisors(std::uint32_t rows, std::uint32_t count) {
  std::uint32_t below = std::min(count, rows), above = count;
  while (below > 1 && rows % below != 0) --below;
  while (above < rows && rows % above != 0) ++above;
  return above < rows ? fmt::format("{} or {}", below, above) : fmt::format("{}", below);
}

}  // namespace

MlpSettings with_kept_activations(const StrategyOptions& options, MlpSettings whole) {
  whole.micro_batches.count = options.accumulate;
  if (options.checkpoints) {
    whole.layers_a_checkpoint = options.layers_a_checkpoint > 0 ? options.layers_a_checkpoint
                                                                : preset_layers_a_checkpoint(whole.shape);
  }
  return whole;
}

std::string kept_activations_refusal(const StrategyOptions& options, const SharedWork& work) {
  const std::uint32_t rows = work.batch / static_cast<std::uint32_t>(work.ranks);
  if (rows % options.accumulate != 0)
    return fmt::format("{} rows per rank do not divide evenly into {} micro-batches; use {}", rows,
                       options.accumulate, next_divisors(rows, options.accumulate));
  const auto layers = static_cast<std::uint32_t>(work.shape.layers());
  if (options.layers_a_checkpoint > layers)
    return fmt::format("checkpoint=activations:{} exceeds the number of layers; use 1 to {}",
                       options.layers_a_checkpoint, layers);
  return "";
}

bool keeps_all_activations(const StrategyOptions& options) {
  return options.accumulate == 1 && !options.checkpoints;
}

bool updates_apart(const StrategyOptions& options) {
  return options.clip_norm > 0 || !keeps_all_activations(options);
}

MlpSettings settings_of_own_batch(const MlpSettings& whole) {
  MlpSettings own = whole;
  own.rows_of_mean = whole.rows;
  own.share = static_cast<float>(whole.rows) / static_cast<float>(whole.global_batch);
  return own;
}

std::vector<Phase> phases_of_step(const StrategyOptions& options, std::initializer_list<Phase> rest) {
  std::vector<Phase> phases;
  for (std::uint32_t part = 0; part < options.accumulate; ++part)
    phases.insert(phases.end(), {Phase::input, Phase::forward, Phase::backward});
  phases.insert(phases.end(), rest);
  return phases;
}

}  // namespace breakeven
