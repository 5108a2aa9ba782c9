// SPDX-License-Identifier: Apache-2.0
// One model with several settings, or in several programs: what each reaches on one GPU and on more.
#include <algorithm>
#include <iterator>

#include "src/core/strategy/case_strategy.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"
#include "src/report/words/interval_scopes.h"

namespace breakeven::report {
namespace {

struct Line {
  const analysis::Group* group;
  const analysis::MeasuredCase* measured;

  double samples_per_second() const { return measured->timed().step.samples_per_second; }
};

bool is_faster(const Line& one, const Line& other) {
  return one.samples_per_second() > other.samples_per_second();
}

// Of each batch and number of GPUs the fastest of the group that computes what one GPU computes.
std::vector<Line> fastest_lines(const analysis::Group& group) {
  std::vector<Line> lines;
  for (const analysis::CaseResult& result : group.cases) {
    const analysis::MeasuredCase& measured = *result.measured;
    const Line line{&group, &measured};
    if (!is_exact(measured.what) || !(line.samples_per_second() > 0)) continue;
    const auto same = std::ranges::find_if(lines, [&](const Line& other) {
      return other.measured->what.batch == measured.what.batch &&
             other.measured->what.gpus == measured.what.gpus;
    });
    if (same == lines.end())
      lines.push_back(line);
    else if (is_faster(line, *same))
      *same = line;
  }
  return lines;
}

// The groups of one model stand together. The first of them has the table, if they are several.
TableRows rows_of(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  const auto of_model = [&](const analysis::Group& other) { return other.key->model == group.key->model; };
  if (&*std::ranges::find_if(analysis.groups(), of_model) != &group) return {};
  if (std::ranges::count_if(analysis.groups(), of_model) < 2) return {};
  std::vector<Line> lines;
  for (const analysis::Group& one : analysis.groups())
    if (of_model(one)) std::ranges::copy(fastest_lines(one), std::back_inserter(lines));
  std::ranges::stable_sort(lines, [](const Line& one, const Line& other) {
    const std::uint32_t batch = one.measured->what.batch, other_batch = other.measured->what.batch;
    return batch != other_batch ? batch < other_batch : is_faster(one, other);
  });
  TableRows rows;
  for (const Line& line : lines) {
    const analysis::CaseSummary& timed = line.measured->timed();
    rows.push_back({batch_cell(line.measured->what), settings_in_title(analysis, line.measured->what),
                    strategy_of(line.measured->what, *line.group), format_seconds(timed.step.seconds()),
                    format_rate(line.samples_per_second(), timed.step.seconds()),
                    scopes_of_steps(*line.group)});
  }
  return rows;
}

}  // namespace

const TableSection settings_section{
    .table = DeclaredTable(
        {.command = "report",
         .title = "Settings side by side: one GPU, and the fastest on more; mean step with its 95 % interval",
         .page = "report.md#speed",
         .columns = {columns::batch,
                     words("settings", "Settings", "the axes in which the model's cases differ"),
                     columns::strategy, columns::step_seconds, columns::samples_per_second,
                     columns::interval_covers}}),
    .after = "speed",
    .name = "settings",
    .holds = "settings and programs side by side",
    .rows = rows_of};

}  // namespace breakeven::report
