// SPDX-License-Identifier: Apache-2.0
// Rows of forms for machines.
#include <nlohmann/json.hpp>

#include "src/bench/matmul/matmul_report.h"
#include "src/report/columns.h"
#include "src/report/launch_json.h"
#include "src/report/machine.h"
#include "src/report/tidy_row.h"

namespace breakeven {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t whole(std::int64_t value) { return static_cast<std::uint64_t>(value); }

void add_interval(const std::string& name, const Interval& interval, TidyRow& row) {
  row.add(name, interval.centre).add(name + "_low", interval.low).add(name + "_high", interval.high);
}

TidyRow tidy_row(const MatmulRow& row) {
  const bool compared = row.decision.verdict != Payoff::not_measured;
  TidyRow tidy;
  tidy.add("size", whole(row.what.size))
      .add("form", Cell(row.what.form->name))
      .add("counted", Cell(word_of(row.what.form->counted)))
      .add("gpus", whole(row.what.gpus))
      .add("precision", Cell(info_of(row.what.precision).name))
      .add("gemm", Cell(name_of(row.what.kernel)))
      .add("repeats", whole(static_cast<std::int64_t>(row.repeats)))
      .add("right", exact(row.right))
      .add("error", row.error)
      .add("error_limit", row.error_limit)
      .add("median_seconds", row.median_seconds);
  add_interval("mean_seconds", row.seconds, tidy);
  tidy.add("flops_per_second", row.flops_per_second);
  for (std::size_t part = 0; part < row.parts.size(); ++part)
    tidy.add(std::string(part_names[part]) + "_seconds", row.parts[part]);
  add_interval("speedup", row.speedup.ratio, tidy);
  tidy.add("verdict", compared ? Cell(word_of(row.decision.verdict)) : Cell("", {}));
  return tidy;
}

Json protocol_of(const MatmulResults& results) {
  return {{"repeats", results.protocol.repeats},
          {"warmup", results.protocol.warmup},
          {"chunks", results.protocol.chunks},
          {"seed", results.protocol.seed},
          {"transport", name_of(results.transport)}};
}

DeclaredColumns seconds_of_parts() {
  DeclaredColumns columns;
  for (std::size_t part = 0; part < part_names.size(); ++part)
    columns.push_back(datum(std::string(part_names[part]) + "_seconds", "s", part_meanings[part]));
  return columns;
}
const DeclaredTable declared_rows{
    {.command = "matmul",
     .json = "rows",
     .page = "matmul.md#how-it-is-measured",
     .columns = joined(
         {{datum("size", "", "rows of the square matrices"),
           datum("form", "", "how the ranks share the product"),
           datum("counted", "", "root to root, or in place"), columns::gpus, columns::precision,
           columns::gemm, datum("repeats", "", "that were measured"), columns::right, columns::error,
           columns::error_limit, datum("median_seconds", "s", "over repeats"),
           datum("mean_seconds", "s", "over repeats, of the slowest rank").with_interval(),
           columns::flops_per_second},
          seconds_of_parts(),
          {datum("speedup", "", "over one device, paired by repeat").with_interval(), columns::verdict}})}};
const DeclaredTable declared_break_evens{
    {.command = "matmul",
     .json = "break_even",
     .page = "matmul.md#how-it-is-measured",
     .columns = {datum("form", "", "how the ranks share the product"),
                 datum("counted", "", "root to root, or in place"), columns::gpus, columns::precision,
                 columns::gemm, datum("break_even_size", "", "smallest measured size from which it pays"),
                 datum("smallest_measured", "", "size"), datum("largest_measured", "", "size"),
                 datum("largest_speedup", "", "of the measured sizes").with_interval()}}};
const DeclaredTable declared_protocol{
    {.command = "matmul",
     .json = "protocol",
     .page = "matmul.md#how-it-is-measured",
     .columns = {datum("repeats", "", "that were measured"),
                 datum("warmup", "", "products before each timed one"),
                 datum("chunks", "", "of the overlapped form"), datum("seed", "", "of the operands"),
                 columns::transport}}};
const DeclaredTable declared_whole{
    {.command = "matmul",
     .page = "matmul.md#how-it-is-measured",
     .columns = joined({launch_columns(),
                        {datum("links", "", "their bandwidth and latency, in words"),
                         datum("protocol", "", "how it was measured"), datum("break_even", "", "by form"),
                         datum("rows", "", "by size and form")}})}};

}  // namespace

ReportTable tidy_forms(const std::vector<MatmulRow>& rows) {
  ReportTable table = declared_rows.empty();
  for (const MatmulRow& row : rows) append(tidy_row(row), table);
  return table;
}

ReportTable tidy_break_evens(const std::vector<MatmulRow>& rows) {
  ReportTable table = declared_break_evens.empty();
  for (const MatmulBreakEven& found : find_break_evens(rows)) {
    TidyRow tidy;
    tidy.add("form", Cell(found.form->name))
        .add("counted", Cell(word_of(found.form->counted)))
        .add("gpus", whole(found.gpus))
        .add("precision", Cell(info_of(found.precision).name))
        .add("gemm", Cell(name_of(found.kernel)))
        .add("break_even_size", found.size ? exact(whole(*found.size)) : Cell("", {}))
        .add("smallest_measured", whole(found.smallest))
        .add("largest_measured", whole(found.largest));
    add_interval("largest_speedup", found.largest_speedup, tidy);
    append(std::move(tidy), table);
  }
  return table;
}

std::string matmul_json(const MatmulResults& results) {
  Json report{{"format", "breakeven matmul"}, {"version", matmul_version}};
  report.update(launch_as_json(results.launch));
  report["links"] = links_in_words(results.launch.topology);
  report["protocol"] = protocol_of(results);
  report["break_even"] = render_json(tidy_break_evens(results.rows));
  report["rows"] = render_json(tidy_forms(results.rows));
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace breakeven
