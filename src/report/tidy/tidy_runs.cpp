// SPDX-License-Identifier: Apache-2.0
// One row for each rank of each case, and one for each finished run: from which step on it is steady, and
// whether it is an outlier of its case.
#include "src/analysis/readings.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/sections/sections.h"
#include "src/report/tidy/tidy_row.h"
#include "src/statistics/outliers.h"

namespace breakeven::report {
namespace {

struct OneRank {
  const analysis::CaseSummary& summary;
  std::size_t rank;
  const analysis::PhaseSeconds& seconds() const { return summary.phases.by_rank[rank]; }
};

const TidyTable<OneRank> rows_of_ranks(
    {.command = "report", .json = "ranks", .page = "report.md#communication"},
    {{axis_columns(), [](auto& one, TidyRow& row) { add_axes(one.summary, row); }},
     {columns::rank, [](auto& one) { return one.rank; }},
     {phase_columns(), [](auto& one, TidyRow& row) { add_phases(one.seconds(), row); }},
     {columns::step_seconds, [](auto& one) { return one.seconds()[index_of(Phase::step)]; }},
     {step_columns(over_steps),
      [](auto& one, TidyRow& row) { add_steps(over_steps, one.summary.done, one.rank, row); }}});

struct OneRun {
  const Results& results;
  const analysis::CaseSummary& summary;
  std::size_t place;  // among the finished runs of its case
  double z_score;

  const RecordedRun& run() const { return *summary.done[place]; }
  const statistics::SteadyState& steady() const { return summary.step.runs[place].steady; }
};

std::string_view word_of(statistics::SteadyVerdict verdict) {
  switch (verdict) {
    case statistics::SteadyVerdict::steady:
      return "steady";
    case statistics::SteadyVerdict::not_steady:
      return "not_steady";
    case statistics::SteadyVerdict::not_judged:
      break;
  }
  return "not_judged";
}

const TidyTable<OneRun> run_rows(
    {.command = "report", .json = "finished_runs", .page = "statistics.md"},
    {{datum("number", "", "place of the run in the plan"),
      [](auto& one) { return &one.run() - one.results.runs.data(); }},
     {columns::label, [](auto& one) { return one.run().label; }},
     {columns::step_seconds, [](auto& one) { return one.summary.step.run_means[one.place]; }},
     {datum("steadiness", "", "`steady`, `not_steady` or `not_judged`"),
      [](auto& one) { return word_of(one.steady().verdict); }},
     {columns::steps_set_aside, [](auto& one) { return one.steady().first; }},
     {datum("z_score", "", "modified Z-score within the case"), [](auto& one) { return one.z_score; }},
     {datum("is_outlier", "", "whether that is over 3.5; null in a case of fewer than 10 runs")
          .typed(JsonType::truth),
      [](auto& one) {
        const bool is_judged = one.summary.steadiness.outlier_runs.has_value();
        return is_judged ? exact(statistics::is_outlier(one.z_score)) : dash_cell();
      }},
     {step_columns(over_steps),
      [](auto& one, TidyRow& row) { add_steps(over_steps, {&one.run()}, analysis::all_ranks, row); }}});

}  // namespace

ReportTable tidy_ranks(const analysis::FileAnalysis& analysis) {
  ReportTable table = rows_of_ranks.empty();
  for (const analysis::CaseSummary* summary : summaries_in_order(analysis)) {
    for (std::size_t rank = 0; rank < summary->phases.by_rank.size(); ++rank)
      rows_of_ranks.add({*summary, rank}, table);
  }
  return table;
}

ReportTable tidy_runs(const analysis::FileAnalysis& analysis) {
  ReportTable table = run_rows.empty();
  for (const analysis::MeasuredCase& measured : analysis.cases()) {
    for (const analysis::CaseSummary* summary : {measured.total, measured.phases}) {
      if (summary == nullptr) continue;
      const std::vector<double> scores = statistics::modified_z_scores(summary->step.run_means);
      for (std::size_t place = 0; place < summary->done.size(); ++place)
        run_rows.add({analysis.results(), *summary, place, scores[place]}, table);
    }
  }
  return table;
}

}  // namespace breakeven::report
