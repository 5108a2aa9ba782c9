// SPDX-License-Identifier: Apache-2.0
// The cases that were measured with NCCL settings beside the same cases with NCCL's defaults.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "src/analysis/case_change.h"
#include "src/report/compare/gate_words.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"
#include "src/report/sections/group_words.h"
#include "src/statistics/payoff.h"

namespace breakeven::report {
namespace {

std::vector<analysis::CaseChange> changes_by_settings(const analysis::Group& group) {
  std::vector<analysis::MeasuredCase> defaults, others;
  for (const analysis::CaseResult& line : group.lines) {
    const analysis::MeasuredCase& measured = *line.measured;
    if (!traits_of(measured.what.transport).takes_nccl_settings) continue;
    (measured.what.nccl.empty() ? defaults : others).push_back(measured);
  }
  return analysis::compare_files(defaults, others, statistics::practical_equivalence);
}

// For each batch and strategy the fastest settings first.
TableRows rows_of(const analysis::FileAnalysis&, const analysis::Group& group) {
  std::vector<analysis::CaseChange> changes = changes_by_settings(group);
  const auto place_of = [](const analysis::CaseChange& change) {
    return std::tuple(change.what.batch, change.what.gpus, change.what.strategy.word(), -change.ratio.centre);
  };
  std::ranges::stable_sort(changes, std::less{}, place_of);
  TableRows rows;
  for (const analysis::CaseChange& change : changes) {
    rows.push_back(
        {batch_cell(change.what), fmt::format("{} on {}", words_of_strategy(change.what), change.what.gpus),
         change.what.nccl, seconds_cell(change.old_step.seconds), seconds_cell(change.new_step.seconds),
         ratio_cell(change.ratio), units_in_words(change.ratio.n, change.unit), word_of(change.change)});
  }
  return rows;
}

}  // namespace

const TableSection nccl_settings_section{
    .table = DeclaredTable(
        {.command = "report",
         .json = "nccl_settings",
         .title = "NCCL settings: samples a second with them, over those with NCCL's defaults",
         .page = "collectives.md#nccl-settings",
         .columns = {columns::batch, columns::strategy, columns::nccl_settings,
                     number("defaults_step_seconds", "Defaults,\na step", "s",
                            "geometric mean of the units' mean steps"),
                     number("settings_step_seconds", "Settings,\na step", "s",
                            "geometric mean of the units' mean steps"),
                     words("speed_ratio", "Speed", "of samples/s: defaults' step / settings' step")
                         .typed(JsonType::number),
                     words("units", "Units", "that the interval counts"),
                     words("change", "Verdict", "faster, slower, same, unclear: by 2 %, corrected")}}),
    .after = "bounds",
    .name = "nccl",
    .holds = "NCCL settings beside the defaults",
    .rows = rows_of};

}  // namespace breakeven::report
