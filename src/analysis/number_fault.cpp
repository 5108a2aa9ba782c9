// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/number_fault.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "src/core/strategy/case_strategy.h"

namespace breakeven::analysis {
namespace {

std::span<const double> losses_of(const RunRecord& rank) {
  return std::span<const double>(rank.loss).first(std::min<std::size_t>(made_steps(rank), rank.loss.size()));
}

// A strategy's promise about its numbers holds only for breakeven's own training.
bool is_own_training(const RecordedRun& run, const Results& results) {
  return run.launch >= results.launches.size() ||
         setting_of(results.launches[run.launch], "recorder").empty();
}

// A step that is skipped because a scaled loss overflowed, in fp16. Other programs may scale it in any
// precision.
bool may_be_infinite(const RecordedRun& run, const Results& results) {
  const auto precision = run.planned.what.precision.known();
  return !precision || info_of(*precision).scales_loss || !is_own_training(run, results);
}

bool is_number_throughout(const RecordedRun& run, const Results& results) {
  const bool infinite_too = may_be_infinite(run, results);
  const auto is_number = [&](double loss) { return infinite_too ? !std::isnan(loss) : std::isfinite(loss); };
  return std::ranges::all_of(run.ranks, [&](const RunRecord& rank) {
    return ends_with_a_loss(rank) && std::ranges::all_of(losses_of(rank), is_number);
  });
}

// A program that recorded itself says which losses it recorded (docs/own-loop.md); breakeven records all.
bool has_numbers(const RecordedRun& run, const Results& results) {
  const bool is_in_file = run.launch < results.launches.size();
  const std::string losses = is_in_file ? setting_of(results.launches[run.launch], "recorded-loss") : "";
  if (losses == "none") return true;
  if (losses != "last step") return is_number_throughout(run, results);
  return std::ranges::all_of(run.ranks, [](const RunRecord& rank) { return std::isfinite(rank.last_loss); });
}

bool is_repeatable(const StrategyChoice& strategy) {
  return strategy.info->promise(strategy.options).repeatable;
}

// Over the steps that both made.
bool have_same_losses(const RecordedRun& one, const RecordedRun& other) {
  const auto same_bits = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  };
  return std::ranges::equal(one.ranks, other.ranks, [&](const RunRecord& a, const RunRecord& b) {
    const std::span<const double> first = losses_of(a), second = losses_of(b);
    const std::size_t steps = std::min(first.size(), second.size());
    return std::ranges::equal(first.first(steps), second.first(steps), same_bits);
  });
}

// The settings that decide a run's numbers beside its case.
constexpr std::array<std::string_view, 8> inputs{"seed",      "dataset",       dataset_checksum, "samples",
                                                 "optimizer", "learning-rate", "gemm-table",     "warmup"};
using Inputs = std::pair<std::vector<std::string>, std::uint32_t>;
Inputs inputs_of(const RecordedRun& run, const Results& results) {
  if (run.launch >= results.launches.size()) return {{}, run.launch};  // not read from a file
  const Launch& launch = results.launches[run.launch];
  std::vector<std::string> values;
  for (const std::string_view name : inputs) values.push_back(setting_of(launch, name));
  const bool has_own_seed = !setting_of(launch, "until").empty();
  return {values, has_own_seed ? run.planned.repeat : 0};
}

bool all_repeats_agree(const std::vector<const RecordedRun*>& done, const Results& results) {
  std::map<Inputs, const RecordedRun*> first;
  return std::ranges::all_of(done, [&](const RecordedRun* run) {
    const auto [known, is_new] = first.try_emplace(inputs_of(*run, results), run);
    return is_new || have_same_losses(*known->second, *run);
  });
}

// Older files have no checksums.
bool all_replicas_agree(const RecordedRun& run, const StrategyChoice& strategy) {
  const int stride = strategy.info->replica_stride(strategy.options, run.planned.what.gpus);
  if (stride == 0) return true;
  const auto next = static_cast<std::size_t>(stride);
  for (std::size_t rank = next; rank < run.ranks.size(); ++rank) {
    const double mine = run.ranks[rank].weights_checksum, other = run.ranks[rank - next].weights_checksum;
    if (!(mine == other) && !(std::isnan(mine) && std::isnan(other))) return false;
  }
  return true;
}

}  // namespace

NumberFault fault_of(const Case& what, const std::vector<const RecordedRun*>& done, const Results& results) {
  if (!std::ranges::all_of(done, [&](const RecordedRun* run) { return has_numbers(*run, results); }))
    return NumberFault::loss_not_a_number;
  const StrategyChoice* strategy = trained_strategy(what).known();
  if (strategy == nullptr) return NumberFault::none;
  std::vector<const RecordedRun*> own;
  std::ranges::copy_if(done, std::back_inserter(own),
                       [&](const RecordedRun* run) { return is_own_training(*run, results); });
  if (is_repeatable(*strategy) && !all_repeats_agree(own, results)) return NumberFault::repeats_differ;
  const auto replicas_agree = [&](const RecordedRun* run) { return all_replicas_agree(*run, *strategy); };
  return std::ranges::all_of(own, replicas_agree) ? NumberFault::none : NumberFault::replicas_differ;
}

}  // namespace breakeven::analysis
