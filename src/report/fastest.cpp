// SPDX-License-Identifier: Apache-2.0
// The fastest of several ways to use more GPUs, batch by batch.
#include <fmt/format.h>

#include "src/report/numbers.h"
#include "src/report/sections.h"

namespace breakeven {
ReportTable fastest_table(const analysis::Group& group) {
  ReportTable table{
      "The fastest on more than one GPU, chosen by one half of the runs; its speed-up is that of the other "
      "half",
      {{"batch", "Batch"},
       {"strategy", "Fastest", Align::left},
       {"is_agreed", "Both halves\nchoose it", Align::left},
       {"speedup", "Speed-up", Align::left},
       {"of_all", "Where it\nwas chosen too"},
       {"verdict", "Verdict", Align::left}},
      {}};
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
