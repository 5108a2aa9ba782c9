// SPDX-License-Identifier: Apache-2.0
#include "src/predict/configuration.h"

#include <algorithm>
#include <cmath>

#include "src/core/strategy/case_strategy.h"
#include "src/predict/measured_step.h"
#include "src/statistics/break_even.h"

namespace breakeven::predict {
namespace {

// Without an interval.
statistics::Interval over_itself(const Configuration& base) {
  statistics::Interval one;
  one.centre = 1;
  one.n = base.seconds.n;
  return one;
}

// Of samples a second: the batches may differ.
statistics::Interval speedup_of(const Configuration& config, const Configuration& base,
                                const SpeedupHalfWidth& half_width) {
  statistics::Interval speedup = statistics::times(statistics::quotient(base.seconds, config.seconds),
                                                   static_cast<double>(config.what.batch) / base.what.batch);
  if (config.what == base.what) return over_itself(base);
  if (config.is_measured || base.is_measured) return speedup;
  const double width = half_width(config, base);
  if (!std::isnan(width)) {
    speedup.low = speedup.centre * std::exp(-width);
    speedup.high = speedup.centre * std::exp(width);
  }
  return speedup;
}

// As the report compares them; null: it does not.
const analysis::Comparison* comparison_of(const Case& what, const analysis::FileAnalysis& analysis) {
  for (const analysis::Group& group : analysis.groups())
    for (const analysis::CaseResult& line : group.lines)
      if (line.measured->what == what) return &line.comparison;
  return nullptr;
}

bool has_report_compared(const Configuration& config, const Configuration& base) {
  const analysis::Comparison* known = config.measured_speedup;
  return known != nullptr && base.is_measured && known->base != nullptr &&
         with_global_batch(known->base->what) == with_global_batch(base.what) &&
         !std::isnan(known->speedup.ratio.centre);
}

// As the report decides (payoff.h): with fewer units than an interval takes, how many more are needed. No
// verdict rests on a prediction that held-out cases do not test.
statistics::Decision decide_between(const Configuration& config, const Configuration& base) {
  if (!config.is_tested || !base.is_tested)
    return {.verdict = statistics::Payoff::undecided, .is_extrapolated = true};
  const auto lacks_units = [](const Configuration& one) {
    return one.is_measured && one.seconds.n < statistics::fewest_for_interval;
  };
  if (config.seconds.is_too_wide() || base.seconds.is_too_wide()) return {statistics::Payoff::undecided};
  if (!lacks_units(config) && !lacks_units(base)) return {verdict_of(config.speedup)};
  const bool is_base = lacks_units(base) && (!lacks_units(config) || base.seconds.n < config.seconds.n);
  const Configuration& short_of = is_base ? base : config;
  return {statistics::Payoff::undecided, statistics::fewest_for_interval - short_of.seconds.n, short_of.unit};
}

}  // namespace

void Query::limit_to_devices(const Results& results) {
  if (memory_limit_bytes > 0 || results.launches.empty()) return;
  for (const RankInfo& rank : results.launches.back().topology.ranks) {
    const std::uint64_t bytes = rank.device.memory_bytes;
    if (bytes > 0 && (memory_limit_bytes == 0 || bytes < memory_limit_bytes)) memory_limit_bytes = bytes;
  }
}

bool is_taken(const Query& query, const Case& key) {
  const auto& precisions = query.precisions;
  const bool in_precision = precisions.empty() || std::ranges::any_of(precisions, [&](Precision one) {
                              return key.precision == one;
                            });
  return in_precision && !traits_of(key).copies && (query.with_lossy || is_exact(key));
}

bool is_configuration(const Case& what) {
  const StrategyChoice* strategy = trained_strategy(what).known();
  return (strategy == nullptr || strategy->info->exchanges) == (what.gpus > 1);
}

bool is_possible(const Case& what) {
  const StrategyChoice strategy = strategy_of_case(what);
  if (!uneven_batch(what.batch, what.gpus).empty()) return false;
  return strategy.info->refusal(strategy.options, {what.model.value(), what.batch, what.gpus}).empty();
}

std::optional<Configuration> configuration_of(const Case& what, const Query& query,
                                              const std::optional<Prediction>& prediction,
                                              const analysis::FileAnalysis& analysis,
                                              const RankMemory& memory) {
  Configuration config{.what = what};
  if (prediction) {
    config.seconds = prediction->interval();
    config.basis = prediction->basis;
    config.is_tested = prediction->is_tested;
    config.parts = prediction->parts;
  }
  const analysis::MeasuredCase* measured = find_measured(what, analysis.cases());
  if (!query.only_predicted && measured != nullptr) {
    const analysis::StepTimes& step = measured->timed().step;
    config.seconds = step.seconds();
    config.is_measured = config.is_tested = true;
    config.unit = step.unit;
    config.measured_speedup = comparison_of(measured->what, analysis);
  }
  if (!(config.seconds.centre > 0)) return std::nullopt;
  config.samples_per_second = what.batch / config.seconds.centre;
  config.memory_bytes = memory.bytes_of(what);
  // What was measured, or lies between measured batches, fitted; its need may not be known.
  const bool has_run = config.is_measured || config.basis == Basis::interpolated;
  config.fits = query.memory_limit_bytes == 0 ||
                config.memory_bytes <= static_cast<double>(query.memory_limit_bytes) ||
                (has_run && std::isnan(config.memory_bytes));
  return config;
}

void compare_with_single(std::vector<Configuration>& configs, const std::vector<Configuration>& singles,
                         const SpeedupHalfWidth& half_width) {
  for (Configuration& config : configs) {
    const Configuration* base = nullptr;
    for (const Configuration& other : singles) {
      const bool single = other.what.gpus == 1 && other.what.precision == config.what.precision;
      if (single && other.fits && (base == nullptr || other.samples_per_second > base->samples_per_second))
        base = &other;
    }
    if (base == nullptr) continue;
    if (has_report_compared(config, *base)) {
      config.speedup = config.measured_speedup->speedup.ratio;
      config.decision = config.measured_speedup->decision;
      continue;
    }
    if (!base->is_measured) config.measured_speedup = nullptr;
    config.speedup = speedup_of(config, *base, half_width);
    if (config.what.gpus > 1) config.decision = decide_between(config, *base);
  }
}

const Configuration* fastest_single(const std::vector<Configuration>& configs,
                                    const Level<Precision>& precision) {
  const Configuration* best = nullptr;
  for (const Configuration& config : configs) {
    const bool single = config.what.gpus == 1 && config.what.precision == precision && config.fits;
    if (single && (best == nullptr || config.seconds.centre < best->seconds.centre)) best = &config;
  }
  return best;
}

const Configuration* fastest_shared(const std::vector<Configuration>& sorted) {
  const auto config =
      std::ranges::find_if(sorted, [](const Configuration& one) { return one.what.gpus > 1 && one.fits; });
  return config == sorted.end() ? nullptr : &*config;
}

void sort_by_speed(std::vector<Configuration>& configs) {
  std::ranges::stable_sort(configs, [](const Configuration& a, const Configuration& b) {
    return a.fits != b.fits ? a.fits : a.seconds.centre < b.seconds.centre;
  });
}

}  // namespace breakeven::predict
