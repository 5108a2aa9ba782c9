// SPDX-License-Identifier: Apache-2.0
// How long it takes to train until a quality: a faster step whose steps teach less is not faster.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"
#include "src/report/words/interval_scopes.h"

namespace breakeven::report {
namespace {

bool all_reached(const analysis::CaseSummary& summary) {
  return !summary.done.empty() && summary.quality.reached_runs == summary.done.size();
}

Cell verdict_of(const analysis::MeasuredCase& measured, const analysis::Comparison* comparison) {
  if (!all_reached(measured.timed())) return "not reached";
  if (comparison == nullptr) return dash;
  if (comparison->base_timed == nullptr) return "no base";
  if (!all_reached(*comparison->base_timed)) return "base: not reached";
  return verdict_cell(comparison->quality_decision);
}

std::string format_mean(const statistics::Interval& mean) {
  if (!mean.has_bounds()) return format_significant(mean.centre, 4);
  return fmt::format("{} ± {}", format_significant(mean.centre, 4),
                     format_significant((mean.high - mean.low) / 2, 2));
}

std::vector<Cell> row_of(const analysis::CaseResult& result, const analysis::Group& group) {
  const analysis::MeasuredCase& measured = *result.measured;
  const analysis::CaseSummary& timed = measured.timed();
  const analysis::TimeToQuality& quality = timed.quality;
  const analysis::Comparison* comparison = measured.what.gpus > 1 ? &result.comparison : nullptr;
  return {batch_cell(measured.what),
          strategy_of(measured.what, group),
          fmt::format("{} of {}", quality.reached_runs, timed.done.size()),
          format_mean(quality.steps),
          format_significant(quality.samples.centre, 4),
          format_seconds(quality.seconds),
          format_rate(timed.step.samples_per_second),
          comparison == nullptr ? std::string(dash) : format_ratio(comparison->speedup.ratio.centre),
          comparison == nullptr ? std::string(dash) : format_ratio(comparison->quality_speedup.ratio),
          verdict_of(measured, comparison)};
}

// Null where no case that is `wanted` has reached the quality in all of its runs.
template <typename Wanted>
const analysis::MeasuredCase* fastest(const analysis::Group& group, Wanted wanted) {
  const analysis::MeasuredCase* best = nullptr;
  for (const analysis::CaseResult& result : group.cases) {
    const analysis::MeasuredCase* const measured = result.measured;
    const double seconds = measured->timed().quality.seconds.centre;
    if (!wanted(measured->what) || !std::isfinite(seconds)) continue;
    if (best == nullptr || seconds < best->timed().quality.seconds.centre) best = measured;
  }
  return best;
}

std::string name_with_seconds(const analysis::MeasuredCase& measured, const analysis::Group& group) {
  return fmt::format("{} at batch {} ({})", strategy_of(measured.what, group),
                     format_count(measured.what.batch), format_seconds(measured.timed().quality.seconds));
}

}  // namespace

const DeclaredTable declared_time_to_quality{
    {.command = "report",
     .title = "Quality: training until {}; means over runs with their 95 % interval{}",
     .page = "report.md#quality",
     .columns = {columns::batch, columns::strategy, columns::quality_reached_runs, columns::steps_to_quality,
                 columns::samples_to_quality, columns::seconds_to_quality, columns::samples_per_second,
                 columns::speedup.headed("Speed-up,\nsamples/s").right(), columns::quality_speedup,
                 columns::verdict}}};

ReportTable time_to_quality_table(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  ReportTable table = declared_time_to_quality.empty();
  table.title =
      fmt::format(fmt::runtime(table.title), analysis.quality(), in_brackets(scopes_of_steps(group)));
  if (analysis.quality().empty()) return table;
  for (const analysis::CaseResult& result : group.cases) {
    if (!result.measured->timed().done.empty()) table.rows.push_back(row_of(result, group));
  }
  return table;
}

std::string fastest_to_quality(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  if (analysis.quality().empty()) return "";
  const analysis::MeasuredCase* one = fastest(group, [](const Case& what) { return what.gpus == 1; });
  const analysis::MeasuredCase* many = fastest(group, [](const Case& what) { return what.gpus > 1; });
  if (one == nullptr || many == nullptr) return "";
  return fmt::format("Fastest to {}, whatever the batch: of one GPU {}, of more {}.", analysis.quality(),
                     name_with_seconds(*one, group), name_with_seconds(*many, group));
}

}  // namespace breakeven::report
