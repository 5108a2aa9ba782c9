// SPDX-License-Identifier: Apache-2.0
#include "src/predict/configuration.h"

#include <algorithm>

#include "src/core/strategy/case_strategy.h"
#include "src/statistics/break_even.h"

namespace breakeven::predict {
namespace {

// Of samples a second: the batches may differ.
statistics::Interval speedup_of(const Configuration& config, const Configuration& base) {
  return statistics::times(statistics::quotient(base.seconds, config.seconds),
                           static_cast<double>(config.what.batch) / base.what.batch);
}

// As the report decides (payoff.h): with fewer units than an interval takes, how many more are needed.
statistics::Decision decide_between(const Configuration& config, const Configuration& base) {
  const auto lacks_units = [](const Configuration& one) {
    return one.is_measured && one.seconds.n < statistics::fewest_for_interval;
  };
  if (!lacks_units(config) && !lacks_units(base)) return {verdict_of(config.speedup)};
  const bool is_base = lacks_units(base) && (!lacks_units(config) || base.seconds.n < config.seconds.n);
  const Configuration& short_of = is_base ? base : config;
  return {statistics::Payoff::undecided, statistics::fewest_for_interval - short_of.seconds.n, short_of.unit};
}

// Of the rank that needs most.
std::size_t memory_bytes_of(const Case& what) {
  const StrategyChoice strategy = strategy_of_case(what);
  std::size_t bytes = 0;
  for (const int rank : ranks_that_differ(what.gpus)) {
    const MemoryNeed need =
        strategy.info->memory_need(strategy.options, mlp_of_case(what, rank), rank, what.gpus);
    bytes = std::max(bytes, need.total());
  }
  return bytes;
}

}  // namespace

bool is_taken(const Query& query, const Case& key) {
  const StrategyChoice strategy = strategy_of_case(key);
  const auto& precisions = query.precisions;
  const bool in_precision = precisions.empty() || std::ranges::any_of(precisions, [&](Precision one) {
                              return key.precision == one;
                            });
  return in_precision && !strategy.info->traits.copies && key.scaling != Scaling::weak &&
         (query.with_lossy || strategy.info->promise(strategy.options).exact);
}

bool is_configuration(const Case& what) { return strategy_of_case(what).info->exchanges == (what.gpus > 1); }

bool is_possible(const Case& what) {
  const StrategyChoice strategy = strategy_of_case(what);
  if (!uneven_batch(what.batch, what.gpus).empty()) return false;
  return strategy.info->refusal(strategy.options, {what.model.value(), what.batch, what.gpus}).empty();
}

std::optional<Configuration> configuration_of(const Case& what, const Query& query,
                                              const std::optional<Prediction>& prediction,
                                              const std::vector<analysis::MeasuredCase>& cases) {
  Configuration config{.what = what};
  if (prediction) {
    config.seconds = prediction->interval();
    config.basis = prediction->basis;
    config.parts = prediction->parts;
  }
  const auto measured = std::ranges::find(cases, what, &analysis::MeasuredCase::what);
  if (!query.only_predicted && measured != cases.end() && measured->timed().step.mean_seconds > 0) {
    const analysis::StepTimes& step = measured->timed().step;
    config.seconds = step.seconds();
    config.is_measured = true;
    config.unit = step.unit;
  }
  if (!(config.seconds.centre > 0)) return std::nullopt;
  config.samples_per_second = what.batch / config.seconds.centre;
  const std::size_t bytes = memory_bytes_of(what);
  config.memory_bytes = static_cast<double>(bytes);
  config.fits = query.memory_limit_bytes == 0 || bytes <= query.memory_limit_bytes;
  return config;
}

void compare_with_single(std::vector<Configuration>& configs, const std::vector<Configuration>& singles) {
  for (Configuration& config : configs) {
    const Configuration* base = nullptr;
    for (const Configuration& other : singles) {
      const bool single = other.what.gpus == 1 && other.what.precision == config.what.precision;
      if (single && other.fits && (base == nullptr || other.samples_per_second > base->samples_per_second))
        base = &other;
    }
    if (base == nullptr) continue;
    config.speedup = speedup_of(config, *base);
    if (config.what.gpus > 1) config.decision = decide_between(config, *base);
  }
}

void sort_by_speed(std::vector<Configuration>& configs) {
  std::ranges::stable_sort(configs, [](const Configuration& a, const Configuration& b) {
    return a.fits != b.fits ? a.fits : a.seconds.centre < b.seconds.centre;
  });
}

}  // namespace breakeven::predict
