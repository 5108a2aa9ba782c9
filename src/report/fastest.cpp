// SPDX-License-Identifier: Apache-2.0
// The fastest of several ways to use more GPUs, batch by batch.
#include <fmt/format.h>

#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"

namespace breakeven {
const DeclaredTable declared_fastest{
    {.command = "report",
     .json = "fastest",
     .title = "The fastest on more than one GPU, chosen by one half of the runs; its speed-up is that of the "
              "other half",
     .page = "report.md#speed",
     .columns = {columns::batch, columns::strategy.headed("Fastest"),
                 words("is_agreed", "Both halves\nchoose it", "else the choice is luck"),
                 words("speedup", "Speed-up", "of the other half"),
                 number("of_all", "Where it\nwas chosen too", "", "of all blocks"), columns::verdict}}};

ReportTable fastest_table(const analysis::Group& group) {
  ReportTable table = declared_fastest.empty();
  for (const auto& [line, speedup, decision, is_agreed] : group.fastest) {
    const Case& what = line->measured->what;
    const double of_all = line->comparison.speedup.ratio.centre;
    table.rows.push_back({Cell(fmt::format("{}", what.batch), std::int64_t{what.batch}),
                          strategy_of(what, group), Cell(is_agreed ? "yes" : "no", is_agreed),
                          Cell(format_ratio(speedup.ratio), speedup.ratio.centre),
                          Cell(format_ratio(of_all), of_all), phrase_of(decision)});
  }
  return table;
}

}  // namespace breakeven
