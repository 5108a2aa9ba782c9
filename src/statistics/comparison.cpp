// SPDX-License-Identifier: Apache-2.0
// Pairing of runs by block, and the base of a case.
#include "src/statistics/comparison.h"

#include <algorithm>
#include <map>
#include <utility>

#include "src/statistics/sample.h"
#include "src/strategy/case_traits.h"

namespace breakeven {
namespace {

bool has_done(const CaseSummary* summary) { return summary != nullptr && !summary->done.empty(); }

using Block = std::pair<std::uint32_t, std::uint32_t>;  // launch, repeat

// Of a case, its number [done run] by block.
std::map<Block, double> by_block(const CaseSummary& summary, const std::vector<double>& of_runs) {
  std::map<Block, double> numbers;
  for (std::size_t i = 0; i < summary.done.size(); ++i) {
    numbers.emplace(Block{summary.done[i]->launch, summary.done[i]->planned.repeat}, of_runs[i]);
  }
  return numbers;
}

// How many times as large a number is for the candidate, block by block where both have one.
std::vector<double> paired_ratios(const std::map<Block, double>& candidate,
                                  const std::map<Block, double>& base) {
  std::vector<double> ratios;
  for (const auto& [block, number] : candidate) {
    const auto found = base.find(block);
    if (found != base.end()) ratios.push_back(number / found->second);
  }
  return ratios;
}

std::map<Block, double> rates_by_block(const CaseSummary& summary) {
  std::vector<double> rates;
  for (const double seconds : summary.step.run_means) rates.push_back(samples_a_step(summary.what) / seconds);
  return by_block(summary, rates);
}

std::map<Block, double> quality_rates_by_block(const CaseSummary& summary) {
  std::vector<double> rates;
  for (const double seconds : summary.quality.run_seconds) rates.push_back(1 / seconds);
  return by_block(summary, rates);
}

Comparison compare(const CaseSummary& candidate, const CaseSummary& base) {
  const std::map<Block, double> rates = rates_by_block(candidate);
  const std::vector<double> ratios = paired_ratios(rates, rates_by_block(base));
  Comparison comparison;
  comparison.timed = &candidate;
  comparison.base_timed = &base;
  comparison.unpaired_runs = rates.size() - ratios.size();
  comparison.speedup = estimate_ratio(ratios);
  comparison.decision = decide(comparison.speedup);
  comparison.efficiency = comparison.speedup.ratio.centre / candidate.what.gpus;
  comparison.quality_speedup =
      estimate_ratio(paired_ratios(quality_rates_by_block(candidate), quality_rates_by_block(base)));
  comparison.quality_decision = decide(comparison.quality_speedup);
  return comparison;
}

bool is_base_of(const Case& base, const Case& candidate) {
  const bool weak = candidate.scaling == "weak";
  const bool same_batch = weak ? base.batch == rows_a_gpu(candidate) : base.batch == candidate.batch;
  return base.strategy == "single" && base.gpus == 1 && same_batch && base.model == candidate.model &&
         base.precision == candidate.precision && base.gemm == candidate.gemm &&
         base.graph == candidate.graph && base.data == candidate.data;
}

}  // namespace

const CaseSummary& MeasuredCase::timed() const {
  if (has_done(total) || phases == nullptr) return *total;
  return has_done(phases) || total == nullptr ? *phases : *total;
}

double MeasuredCase::observer_cost() const {
  if (!has_done(total) || !has_done(phases)) return not_measured;
  return phases->step.mean_seconds / total->step.mean_seconds - 1;
}

std::vector<MeasuredCase> merge_instruments(const std::vector<CaseSummary>& summaries) {
  std::vector<MeasuredCase> cases;
  for (const CaseSummary& summary : summaries) {
    Case what = summary.what;
    what.instrument.clear();
    auto found = std::find_if(cases.begin(), cases.end(),
                              [&](const MeasuredCase& measured) { return measured.what == what; });
    if (found == cases.end()) found = cases.insert(cases.end(), MeasuredCase{.what = what});
    (summary.what.instrument == "phases" ? found->phases : found->total) = &summary;
  }
  return cases;
}

const MeasuredCase* find_base(const MeasuredCase& candidate, const std::vector<MeasuredCase>& cases) {
  const MeasuredCase* best = nullptr;
  for (const MeasuredCase& measured : cases) {
    if (!is_base_of(measured.what, candidate.what)) continue;
    if (best == nullptr || measured.what.scaling == candidate.what.scaling) best = &measured;
  }
  return best;
}

Comparison compare_with_base(const MeasuredCase& candidate, const std::vector<MeasuredCase>& cases) {
  const MeasuredCase* base = find_base(candidate, cases);
  if (base == nullptr) return {};
  Comparison comparison;
  if (has_done(candidate.total) && has_done(base->total)) {
    comparison = compare(*candidate.total, *base->total);
  } else if (has_done(candidate.phases) && has_done(base->phases)) {
    comparison = compare(*candidate.phases, *base->phases);
  }
  comparison.base = base;
  return comparison;
}

}  // namespace breakeven
