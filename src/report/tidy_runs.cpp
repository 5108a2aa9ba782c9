// SPDX-License-Identifier: Apache-2.0
// One row for each finished run: from which step on it is steady, and whether it stands apart from its case.
#include <cmath>

#include "src/analysis/readings.h"
#include "src/report/columns.h"
#include "src/report/sections.h"
#include "src/report/tidy_row.h"
#include "src/statistics/outliers.h"

namespace breakeven {
namespace {

std::string word_of(SteadyVerdict verdict) {
  switch (verdict) {
    case SteadyVerdict::steady:
      return "steady";
    case SteadyVerdict::not_steady:
      return "not_steady";
    case SteadyVerdict::not_judged:
      break;
  }
  return "not_judged";
}

void add_runs(const analysis::CaseSummary& summary, const Results& results, ReportTable& table) {
  const std::vector<double> scores = modified_z_scores(summary.step.run_means);
  for (std::size_t i = 0; i < summary.done.size(); ++i) {
    const RecordedRun& run = *summary.done[i];
    const SteadyState& steady = summary.step.runs[i].steady;
    const analysis::Staleness staleness = analysis::staleness_of({&run});
    TidyRow row;
    row.add("number", static_cast<std::uint64_t>(&run - results.runs.data()))
        .add("label", Cell(run.label))
        .add("step_seconds", summary.step.run_means[i])
        .add("steadiness", Cell(word_of(steady.verdict)))
        .add("steps_set_aside", std::uint64_t{steady.first})
        .add("z_score", scores[i])
        .add("is_outlier", exact(is_outlier(scores[i])))
        .add("mean_staleness", staleness.mean)
        .add("highest_staleness", staleness.highest);
    append(std::move(row), table);
  }
}

const DeclaredTable declared_runs{
    {.command = "report",
     .json = "finished_runs",
     .page = "statistics.md",
     .columns = {datum("number", "", "place of the run in the plan"), columns::label, columns::step_seconds,
                 datum("steadiness", "", "`steady`, `not_steady` or `not_judged`"), columns::steps_set_aside,
                 datum("z_score", "", "modified Z-score within the case"),
                 datum("is_outlier", "", "whether that is over 3.5"), columns::mean_staleness,
                 columns::highest_staleness}}};

}  // namespace

ReportTable tidy_runs(const analysis::FileAnalysis& analysis) {
  ReportTable table = declared_runs.empty();
  for (const analysis::MeasuredCase& measured : analysis.cases()) {
    for (const analysis::CaseSummary* summary : {measured.total, measured.phases})
      if (summary != nullptr) add_runs(*summary, analysis.results(), table);
  }
  return table;
}

}  // namespace breakeven
