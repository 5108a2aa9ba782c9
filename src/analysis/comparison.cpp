// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "src/core/axes.h"
#include "src/core/strategy/case_strategy.h"
#include "src/statistics/sample.h"

namespace breakeven::analysis {
namespace {

using Block = std::pair<std::uint32_t, std::uint32_t>;  // launch, repeat

// `work` over the seconds of each done run, by block.
std::map<Block, double> rates_by_block(const CaseSummary& summary, double work,
                                       const std::vector<double>& seconds) {
  std::map<Block, double> rates;
  for (std::size_t i = 0; i < summary.done.size(); ++i)
    rates.emplace(Block{summary.done[i]->launch, summary.done[i]->planned.repeat}, work / seconds[i]);
  return rates;
}

std::map<Block, double> rates_by_block(const CaseSummary& summary) {
  return rates_by_block(summary, samples_a_step(summary.what), summary.step.run_means);
}

std::map<Block, double> quality_rates_by_block(const CaseSummary& summary) {
  return rates_by_block(summary, 1, summary.quality.run_seconds);
}

// The number of the candidate over that of the base, for each block that has both.
std::vector<statistics::PairedBlock> paired_blocks(const std::map<Block, double>& candidate,
                                                   const std::map<Block, double>& base) {
  std::vector<statistics::PairedBlock> blocks;
  for (const auto& [block, number] : candidate) {
    const auto found = base.find(block);
    if (found != base.end()) blocks.push_back({block.first, block.second, number / found->second});
  }
  return blocks;
}

// The geometric mean of the samples a second in these blocks.
double mean_rate(const std::map<Block, double>& rates, std::span<const statistics::PairedBlock> blocks) {
  std::vector<double> logs;
  std::vector<std::uint32_t> launches;
  for (const statistics::PairedBlock& block : blocks) {
    logs.push_back(std::log(rates.at({block.launch, block.repeat})));
    launches.push_back(block.launch);
  }
  return std::exp(statistics::mean(statistics::means_of_launches(launches, logs)));
}

// With one block in common, only the steps of the two runs give an interval.
statistics::RatioEstimate estimate_speedup(const CaseSummary& candidate, const CaseSummary& base,
                                           std::span<const statistics::PairedBlock> blocks) {
  const bool is_one_run_each = candidate.done.size() == 1 && base.done.size() == 1;
  if (blocks.size() != 1 || !is_one_run_each) return statistics::estimate_paired(blocks);
  return statistics::estimate_from_two_runs(candidate.step.runs.front().used(), base.step.runs.front().used(),
                                            samples_a_step(candidate.what) / samples_a_step(base.what));
}

Comparison compare(const CaseSummary& candidate, const CaseSummary& base) {
  const std::map<Block, double> rates = rates_by_block(candidate);
  const std::map<Block, double> base_rates = rates_by_block(base);
  Comparison comparison;
  comparison.timed = &candidate;
  comparison.base_timed = &base;
  comparison.blocks = paired_blocks(rates, base_rates);
  comparison.unpaired_runs = rates.size() - comparison.blocks.size();
  comparison.samples_per_second = mean_rate(rates, comparison.blocks);
  comparison.base_samples_per_second = mean_rate(base_rates, comparison.blocks);
  comparison.speedup = estimate_speedup(candidate, base, comparison.blocks);
  comparison.decision = statistics::decide(comparison.speedup);
  const bool has_short_runs = candidate.short_runs.count > 0 || base.short_runs.count > 0;
  if (has_short_runs && comparison.decision.verdict != statistics::Payoff::not_measured)
    comparison.decision = {.verdict = statistics::Payoff::undecided, .has_short_runs = true};
  comparison.efficiency = comparison.speedup.ratio.centre / candidate.what.gpus;
  comparison.quality_speedup = statistics::estimate_paired(
      paired_blocks(quality_rates_by_block(candidate), quality_rates_by_block(base)));
  comparison.quality_decision = statistics::decide(comparison.quality_speedup);
  return comparison;
}

bool is_alternative(const Case& other, const Case& base) {
  using enum Axis;
  return are_alike_but_for(other, base, {precision, gemm, graph, scaling}) &&
         !are_alike(other, base, {precision, gemm, graph});
}

}  // namespace

bool is_single_gpu(const Case& what) { return what.strategy == single_gpu_strategy && what.gpus == 1; }

bool is_base_of(const Case& base, const Case& candidate) {
  return is_single_gpu(base) && base.batch == batch_of_baseline(candidate) &&
         are_alike(base, candidate, baseline_axes) &&
         (base.graph == candidate.graph || !traits_of(candidate).capturable);
}

const CaseSummary& MeasuredCase::timed() const {
  if (is_done(total) || phases == nullptr) return *total;
  return is_done(phases) || total == nullptr ? *phases : *total;
}

double MeasuredCase::timing_overhead() const {
  if (!is_done(total) || !is_done(phases)) return not_measured;
  return phases->step.mean_seconds / total->step.mean_seconds - 1;
}

std::vector<MeasuredCase> merge_timings(const std::vector<CaseSummary>& summaries) {
  std::vector<MeasuredCase> cases;
  for (const CaseSummary& summary : summaries) {
    Case what = summary.what;
    what.timing = {};
    auto found = std::find_if(cases.begin(), cases.end(),
                              [&](const MeasuredCase& measured) { return measured.what == what; });
    if (found == cases.end()) found = cases.insert(cases.end(), MeasuredCase{.what = what});
    (summary.what.timing == Timing::phases ? found->phases : found->total) = &summary;
  }
  return cases;
}

const MeasuredCase* find_base(const MeasuredCase& candidate, const std::vector<MeasuredCase>& cases) {
  const MeasuredCase* best = nullptr;
  for (const MeasuredCase& measured : cases) {
    if (!is_base_of(measured.what, candidate.what)) continue;
    const auto suits = [&](const Case& what) {
      return std::pair(what.graph, what.scaling == candidate.what.scaling);
    };
    if (best == nullptr || suits(measured.what) >= suits(best->what)) best = &measured;
  }
  return best;
}

Comparison compare_cases(const MeasuredCase& candidate, const MeasuredCase& base) {
  Comparison comparison;
  if (is_done(candidate.total) && is_done(base.total)) {
    comparison = compare(*candidate.total, *base.total);
  } else if (is_done(candidate.phases) && is_done(base.phases)) {
    comparison = compare(*candidate.phases, *base.phases);
  }
  comparison.base = &base;
  return comparison;
}

Comparison compare_with_base(const MeasuredCase& candidate, const std::vector<MeasuredCase>& cases) {
  const MeasuredCase* base = find_base(candidate, cases);
  return base == nullptr ? Comparison{} : compare_cases(candidate, *base);
}

void decide_together(std::span<Comparison* const> comparisons) {
  std::vector<statistics::RatioEstimate> speedups;
  std::vector<statistics::RatioEstimate> quality_speedups;
  for (const Comparison* comparison : comparisons) {
    speedups.push_back(comparison->speedup);
    quality_speedups.push_back(comparison->quality_speedup);
  }
  const std::vector<statistics::Decision> decisions = decide_together(speedups);
  const std::vector<statistics::Decision> quality_decisions = decide_together(quality_speedups);
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    if (!comparisons[i]->decision.has_short_runs) comparisons[i]->decision = decisions[i];
    comparisons[i]->quality_decision = quality_decisions[i];
  }
}

FasterSingle faster_single_of(const MeasuredCase& candidate, const Comparison& comparison,
                              const std::vector<MeasuredCase>& cases) {
  if (comparison.base == nullptr) return {};
  std::vector<const MeasuredCase*> alternatives;
  std::vector<statistics::RatioEstimate> advantages;  // over the baseline
  for (const MeasuredCase& other : cases) {
    if (!is_alternative(other.what, comparison.base->what)) continue;
    const Comparison with_other = compare_cases(other, *comparison.base);
    if (with_other.decision.has_short_runs) continue;
    alternatives.push_back(&other);
    advantages.push_back(with_other.speedup);
  }
  const std::vector<statistics::Decision> decisions = decide_together(advantages);
  FasterSingle fastest;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (decisions[i].verdict != statistics::Payoff::pays) continue;
    if (fastest.single != nullptr && !(advantages[i].ratio.centre > fastest.advantage.ratio.centre)) continue;
    fastest.single = alternatives[i];
    fastest.advantage = advantages[i];
  }
  if (fastest.single != nullptr) fastest.speedup = compare_cases(candidate, *fastest.single).speedup;
  return fastest;
}

}  // namespace breakeven::analysis
