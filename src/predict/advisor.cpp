// SPDX-License-Identifier: Apache-2.0
#include "src/predict/advisor.h"

#include <algorithm>
#include <set>

#include "src/plan/possible_case.h"
#include "src/predict/break_even_cost.h"
#include "src/strategy/case_replica.h"

namespace breakeven {
namespace {

bool is_taken(const Question& question, const Case& key) {
  const StrategyChoice strategy = strategy_of_case(key);
  const auto& precisions = question.precisions;
  const bool in_precision =
      precisions.empty() || std::ranges::find(precisions, key.precision) != precisions.end();
  return in_precision && !strategy.info->traits.copies && key.scaling != "weak" &&
         (question.with_lossy || strategy.info->promise(strategy.options).exact);
}

// Whether `run` would plan it: the batch can be shared and the strategy does the work.
bool is_possible(const Case& what) {
  const StrategyChoice strategy = strategy_of_case(what);
  const ModelShape shape = std::get<ModelShape>(parse_model(what.model));
  if (!uneven_batch(what.batch, what.gpus).empty()) return false;
  return strategy.info->refusal(strategy.options, {shape, what.batch, what.gpus}).empty();
}

// The last one that told NCCL what the case's did.
const Launch& latest_launch_for(const Case& what, const Results& results) {
  for (auto launch = results.launches.rbegin(); launch != results.launches.rend(); ++launch)
    if (what.collective != "nccl" || nccl_settings_of(*launch) == what.nccl) return *launch;
  return results.launches.back();
}

void compare_with_single(std::vector<Way>& ways) {
  for (Way& way : ways) {
    const Way* base = nullptr;
    for (const Way& other : ways) {
      const bool single = other.what.gpus == 1 && other.what.precision == way.what.precision;
      if (single && (base == nullptr || other.seconds.centre < base->seconds.centre)) base = &other;
    }
    if (base == nullptr) continue;
    way.speedup = quotient(base->seconds, way.seconds);
    if (way.what.gpus > 1) way.verdict = verdict_of(way.speedup);
  }
}

}  // namespace

Advisor::Advisor(const Results& results)
    : results_(results),
      summaries_(summarize_cases(results)),
      cases_(merge_instruments(summaries_)),
      model_(results, cases_) {
  for (const MeasuredCase& measured : cases_) most_gpus_ = std::max(most_gpus_, measured.what.gpus);
}

std::optional<StepTerms> Advisor::terms_of(const Case& what) const {
  const Launch& launch = latest_launch_for(what, results_);
  if (launch.ceilings.empty()) return std::nullopt;
  return terms_of_case(what, launch.ceilings.front(), launch.message_times);
}

std::optional<Way> Advisor::way(const Question& question, Case what) const {
  what.model = question.model;
  what.batch = question.batch;
  what.instrument.clear();
  if (!is_possible(what)) return std::nullopt;
  Way way;
  way.what = what;
  if (std::optional<StepTerms> terms = terms_of(what)) {
    (*terms)[index_of(StepTerm::bandwidth)] /= question.link_factor;
    if (const auto prediction = model_.predict(what, *terms)) {
      way.seconds = {prediction->seconds, prediction->low, prediction->high, 0};
      way.basis = prediction->basis;
      way.parts = prediction->parts;
    }
  }
  for (const MeasuredCase& measured : cases_) {
    const StepTimes& step = measured.timed().step;
    if (question.only_predicted || measured.what != what || !(step.mean_seconds > 0)) continue;
    way.seconds = step.interval;
    way.seconds.centre = step.mean_seconds;
    way.is_measured = true;
  }
  if (!(way.seconds.centre > 0)) return std::nullopt;
  way.samples_per_second = what.batch / way.seconds.centre;
  const StrategyChoice strategy = strategy_of_case(what);
  std::size_t bytes = 0;
  for (int rank = 0; rank < what.gpus; ++rank) {
    const MemoryNeed need =
        strategy.info->memory_need(strategy.options, replica_of_case(what, rank), rank, what.gpus);
    bytes = std::max(bytes, need.total());
  }
  way.memory_bytes = static_cast<double>(bytes);
  way.fits = question.memory_limit_bytes == 0 || bytes <= question.memory_limit_bytes;
  return way;
}

std::vector<Way> Advisor::ways(const Question& question) const {
  const int most = question.most_gpus > 0 ? question.most_gpus : most_gpus_;
  std::vector<Way> ways;
  for (const StepModel::Family& family : model_.families()) {
    if (!is_taken(question, family.key)) continue;
    std::set<int> counts;  // only those that the strategy was measured on: the fit knows no other
    for (const Observation& one : family.observations)
      if (one.what.gpus <= most) counts.insert(one.what.gpus);
    for (const int gpus : counts) {
      Case what = family.key;
      what.gpus = gpus;
      if (auto found = way(question, what)) ways.push_back(std::move(*found));
    }
  }
  compare_with_single(ways);
  std::ranges::stable_sort(ways, [](const Way& a, const Way& b) {
    return a.fits != b.fits ? a.fits : a.seconds.centre < b.seconds.centre;
  });
  return ways;
}

}  // namespace breakeven
