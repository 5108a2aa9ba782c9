// SPDX-License-Identifier: Apache-2.0
// What a sample takes of GPU time, money and energy, case by case, beside the single GPU; by the formulas of
// `breakeven advise` (break_even.h). docs/report.md has them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"
#include "src/report/words/interval_scopes.h"
#include "src/statistics/break_even.h"

namespace breakeven::report {
namespace {

constexpr double million_samples = 1e6;
constexpr double seconds_an_hour = 3600;

std::string joules_words(const analysis::SampleCosts& costs) {
  const double joules = million_samples * costs.energy.joules.centre;
  if (std::isnan(joules)) return std::string(dash);
  return format_significant(joules, 3) + " J" + part_of_runs(costs.energy.runs, costs.runs);
}

bool has_costs(const analysis::CaseResult& line) {
  return line.comparison.timed != nullptr && line.comparison.base_timed != nullptr;
}

// For the money of all cases.
SampleCount money_unit(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  double least = not_measured;
  for (const analysis::CaseResult& line : group.lines) {
    if (!has_costs(line)) continue;
    for (const analysis::CaseSummary* side : {line.comparison.timed, line.comparison.base_timed})
      least = std::fmin(least,
                        money_of_million(analysis.result_of(*side).costs, analysis.price_an_hour()).centre);
  }
  return samples_priced(least);
}

std::vector<Cell> cost_row(const analysis::CaseResult& line, const analysis::Group& group,
                           const analysis::FileAnalysis& analysis, const SampleCount& priced) {
  const analysis::Comparison& comparison = line.comparison;
  const analysis::SampleCosts& more = analysis.result_of(*comparison.timed).costs;
  const analysis::SampleCosts& one = analysis.result_of(*comparison.base_timed).costs;
  const analysis::CostGains& gains = line.gains;
  const auto money = [&](const analysis::SampleCosts& costs) {
    const double centre = money_of_million(costs, analysis.price_an_hour()).centre;
    return std::isnan(centre) ? std::string(dash) : format_significant(priced.millions * centre, 3);
  };
  const bool has_energy = std::isfinite(gains.energy.centre);
  return {batch_cell(line.measured->what),
          strategy_of(line.measured->what, group),
          format_seconds(million_samples * one.gpu_seconds.centre),
          format_seconds(statistics::times(more.gpu_seconds, million_samples)),
          format_ratio(gains.gpu_hours),
          phrase_of(gains.by_gpu_hours),
          money(one),
          money(more),
          joules_words(one),
          joules_words(more),
          format_ratio(gains.energy),
          has_energy ? statistics::phrase_of({.verdict = verdict_of(gains.energy)}) : std::string(dash)};
}

}  // namespace

statistics::Interval money_of_million(const analysis::SampleCosts& costs, double price_an_hour) {
  return statistics::times(costs.gpu_seconds, price_an_hour > 0
                                                  ? million_samples * price_an_hour / seconds_an_hour
                                                  : not_measured);
}

const DeclaredTable declared_costs{
    {.command = "report",
     .title = "Costs of a million samples; 95 % intervals{}, each verdict by its own; GPU time by arithmetic "
              "means, gains by geometric ones",
     .page = "report.md#costs",
     .columns = {
         columns::batch, columns::strategy,
         number("one_gpu_seconds_per_sample", "GPU time,\none GPU", "s", "by the arithmetic mean step"),
         columns::gpu_seconds_per_sample, columns::gpu_hours_gain, columns::gpu_hours_verdict,
         number("one_cost_per_million_samples", "Money,\none GPU", "money", "GPU time times `--price`"),
         columns::cost_per_million_samples,
         number("one_joules_per_sample", "Energy,\none GPU", "J", "of one GPU"),
         columns::joules_per_sample.headed("Energy,\nmore"), columns::energy_gain, columns::energy_verdict}}};

ReportTable cost_table(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  ReportTable table = declared_costs.empty();
  table.title = fmt::format(fmt::runtime(table.title), in_brackets(scopes_of_speedups(group)));
  const SampleCount priced = money_unit(analysis, group);
  if (priced.millions > 1) table.title += fmt::format("; money of a {} samples", priced.name);
  for (const analysis::CaseResult& line : group.lines)
    if (has_costs(line)) table.rows.push_back(cost_row(line, group, analysis, priced));
  return without_unknown_columns(std::move(table));
}

}  // namespace breakeven::report
