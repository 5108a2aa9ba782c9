// SPDX-License-Identifier: Apache-2.0
// Strong and weak scaling of one model beside each other: the same global batch, or the same batch per GPU?
#include "src/core/strategy/case_strategy.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"

namespace breakeven::report {
namespace {

// The case of strong scaling with the same baseline; null: not measured.
const analysis::CaseResult* strong_beside(const analysis::CaseResult& weak, const analysis::Group& group) {
  for (const analysis::CaseResult& other : group.lines) {
    const Case &what = weak.measured->what, &same = other.measured->what;
    if (same.scaling == Scaling::strong && same.batch == batch_of_baseline(what) &&
        are_alike_but_for(same, what, {Axis::batch, Axis::scaling}))
      return &other;
  }
  return nullptr;
}

std::string strategy_and_transport(const Case& what, const analysis::Group& group) {
  const std::string transport = transport_suffix(what, group);
  return words_of_strategy(what) + (transport.empty() ? "" : ", " + transport);
}

TableRows rows_of(const analysis::FileAnalysis&, const analysis::Group& group) {
  TableRows rows;
  for (const analysis::CaseResult& weak : group.lines) {
    const Case& what = weak.measured->what;
    if (what.scaling != Scaling::weak || traits_of(what).copies) continue;
    const analysis::CaseResult* strong = strong_beside(weak, group);
    if (strong == nullptr) continue;
    rows.push_back({batch_cell(strong->measured->what), strategy_and_transport(what, group),
                    count_cell(what.gpus), ratio_cell(strong->comparison.speedup.ratio),
                    count_cell(what.batch), ratio_cell(weak.comparison.speedup.ratio)});
  }
  std::ranges::stable_sort(
      rows, {}, [](const std::vector<Cell>& row) { return std::get<std::int64_t>(row.front().value); });
  return rows;
}

}  // namespace

const TableSection strong_and_weak_section{
    .table = DeclaredTable(
        {.command = "report",
         .json = "strong_and_weak",
         .title = "Strong and weak scaling: the same global batch, or the same batch per GPU? Speed-up in "
                  "samples a "
                  "second over one GPU at this batch, with its 95 % interval",
         .page = "report.md#speed",
         .columns = {columns::batch, columns::strategy, columns::gpus,
                     words("strong_speedup", "Strong: same\nglobal batch", "speed-up of strong scaling")
                         .typed(JsonType::number),
                     number("weak_batch", "Weak: its\nglobal batch", "samples", "batch of one GPU × GPUs"),
                     words("weak_speedup", "Weak: same\nbatch per GPU", "speed-up of weak scaling")
                         .typed(JsonType::number)}}),
    .after = "speed",
    .name = "scaling",
    .holds = "strong and weak scaling side by side",
    .rows = rows_of,
    .notes = {"Strong keeps the global batch and so the number of steps to a quality: the speed-up is also "
              "that of the training.",
              "Weak multiplies the batch by the GPUs: a sample costs less time, but the number of steps to a "
              "quality may not fall in proportion. --until measures it."},
    .in_brief = true};

}  // namespace breakeven::report
