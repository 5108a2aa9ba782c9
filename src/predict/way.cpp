// SPDX-License-Identifier: Apache-2.0
#include "src/predict/way.h"

#include <algorithm>

#include "src/core/strategy/case_strategy.h"
#include "src/statistics/break_even_cost.h"

namespace breakeven {
namespace {

// Of samples a second: the batches may differ.
Interval speedup_of(const Way& way, const Way& base) {
  return times(quotient(base.seconds, way.seconds), static_cast<double>(way.what.batch) / base.what.batch);
}

// As the report decides (payoff.h): of fewer units than an interval takes, that more are needed.
Decision decide_between(const Way& way, const Way& base) {
  const auto lacks_units = [](const Way& one) {
    return one.is_measured && one.seconds.n < fewest_for_interval;
  };
  if (!lacks_units(way) && !lacks_units(base)) return {verdict_of(way.speedup)};
  const bool is_base = lacks_units(base) && (!lacks_units(way) || base.seconds.n < way.seconds.n);
  const Way& short_of = is_base ? base : way;
  return {Payoff::undecided, fewest_for_interval - short_of.seconds.n, short_of.unit};
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

bool is_way(const Case& what) { return strategy_of_case(what).info->exchanges == (what.gpus > 1); }

bool is_possible(const Case& what) {
  const StrategyChoice strategy = strategy_of_case(what);
  if (!uneven_batch(what.batch, what.gpus).empty()) return false;
  return strategy.info->refusal(strategy.options, {what.model.value(), what.batch, what.gpus}).empty();
}

void complete(Way& way, std::uint64_t memory_limit_bytes) {
  way.samples_per_second = way.what.batch / way.seconds.centre;
  const StrategyChoice strategy = strategy_of_case(way.what);
  std::size_t bytes = 0;
  for (const int rank : ranks_that_differ(way.what.gpus)) {
    const MemoryNeed need =
        strategy.info->memory_need(strategy.options, mlp_of_case(way.what, rank), rank, way.what.gpus);
    bytes = std::max(bytes, need.total());
  }
  way.memory_bytes = static_cast<double>(bytes);
  way.fits = memory_limit_bytes == 0 || bytes <= memory_limit_bytes;
}

void compare_with_single(std::vector<Way>& ways, const std::vector<Way>& singles) {
  for (Way& way : ways) {
    const Way* base = nullptr;
    for (const Way& other : singles) {
      const bool single = other.what.gpus == 1 && other.what.precision == way.what.precision;
      if (single && (base == nullptr || other.samples_per_second > base->samples_per_second)) base = &other;
    }
    if (base == nullptr) continue;
    way.speedup = speedup_of(way, *base);
    if (way.what.gpus > 1) way.decision = decide_between(way, *base);
  }
}

void sort_by_speed(std::vector<Way>& ways) {
  std::ranges::stable_sort(ways, [](const Way& a, const Way& b) {
    return a.fits != b.fits ? a.fits : a.seconds.centre < b.seconds.centre;
  });
}

}  // namespace breakeven
