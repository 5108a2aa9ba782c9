// SPDX-License-Identifier: Apache-2.0
#include "src/bench/collectives/collective_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/words/launch_facts.h"
#include "src/report/words/machine.h"

namespace breakeven::bench {
namespace {

namespace columns = report::columns;
using report::datum;
using report::number;

bool are_of_one_table(const CollectiveRow& one, const CollectiveRow& other) {
  return one.transport == other.transport && one.ranks == other.ranks && one.operation == other.operation;
}

std::string title_of(const CollectiveRow& row) {
  return fmt::format("{}, {} ranks over {}{}", name_of(row.operation), row.ranks,
                     row.operation == Collective::one_sided ? "mpi, host memory" : name_of(row.transport),
                     row.graph && row.operation != Collective::one_sided ? ", in a graph" : "");
}

const report::DeclaredColumns measured_columns{
    number("bytes", "Size", "bytes", "a call works on"), number("seconds", "Time", "s", "of one call"),
    number("algbw_bytes_per_second", "algbw", "bytes/s", "size / time"),
    number("busbw_bytes_per_second", "busbw", "bytes/s", "over each link"),
    number("wrong", "#wrong", "", "wrong values")};
const report::DeclaredTable declared_table{{.command = "collectives",
                                            .title = "{}, {} ranks over {}",
                                            .page = "collectives.md",
                                            .columns = measured_columns}};
const report::TidyTable<CollectiveRow> call_rows(
    {.command = "collectives", .json = "rows", .page = "collectives.md"},
    {{columns::transport, [](auto& row) { return name_of(row.transport); }},
     {columns::graph.meant("whether the calls are in a CUDA graph"), [](auto& row) { return row.graph; }},
     {datum("ranks", "", "that take part"), [](auto& row) { return row.ranks; }},
     {datum("operation", "", "what is called"), [](auto& row) { return name_of(row.operation); }},
     {measured_columns, [](auto& row, report::TidyRow& tidy) {
        tidy.add("bytes", row.bytes)
            .add("seconds", row.seconds)
            .add("algbw_bytes_per_second", row.algorithm_bandwidth())
            .add("busbw_bytes_per_second", row.bus_bandwidth())
            .add("wrong", row.wrong);
      }}});
const report::DeclaredTable declared_collectives{
    {.command = "collectives",
     .page = "collectives.md",
     .format = "breakeven collectives",
     .version = collectives_version,
     .columns = report::joined({{columns::format, columns::version},
                                report::launch_columns(),
                                {columns::right, datum("rows", "", "list of calls")}})}};

report::ReportTable table_of(const CollectiveRow& first) {
  report::ReportTable table = declared_table.empty();
  table.title = title_of(first);
  return table;
}

std::vector<report::ReportTable> tables_of(const std::vector<CollectiveRow>& rows) {
  std::vector<report::ReportTable> tables;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CollectiveRow& row = rows[i];
    if (i == 0 || !are_of_one_table(rows[i - 1], row)) tables.push_back(table_of(row));
    tables.back().rows.push_back(
        {report::format_bytes(static_cast<double>(row.bytes)), report::format_seconds(row.seconds),
         report::format_bandwidth(row.algorithm_bandwidth()), report::format_bandwidth(row.bus_bandwidth()),
         fmt::format("{}", row.wrong)});
  }
  return tables;
}

report::Document document(const Launch& launch, const std::vector<CollectiveRow>& rows) {
  report::Document document;
  document.heading(1, "Collectives on " + report::machine_name(launch.topology));
  document.paragraph(
      "Times are per call, from several back-to-back calls on the slowest rank: the median of several "
      "batches. Roots take turns. The size counts the data of all ranks together. As in nccl-tests, algbw is "
      "size / time, busbw is what each link carries, and #wrong counts values that differ from the expected "
      "result. 1 GB/s is 1e9 bytes a second.");
  if (!all_right(rows)) document.paragraph("SOME VALUES WERE WRONG: do not trust this machine.");
  for (report::ReportTable& table : tables_of(rows)) document.table(std::move(table));
  report::add_launch_items(launch, document);
  return document;
}

nlohmann::ordered_json json(const Launch& launch, const std::vector<CollectiveRow>& rows) {
  nlohmann::ordered_json report = report::launch_as_json(launch);
  report["right"] = all_right(rows);
  report["rows"] = report::render_json(call_rows.of(rows));
  return report;
}

}  // namespace

bool all_right(const std::vector<CollectiveRow>& rows) {
  return std::ranges::all_of(rows, [](const CollectiveRow& row) { return row.wrong == 0; });
}

std::string collective_report(const Launch& launch, const std::vector<CollectiveRow>& rows,
                              report::ReportFormat format) {
  return report::print({.whole = declared_collectives,
                        .document = [&] { return document(launch, rows); },
                        .rows = [&] { return call_rows.of(rows); },
                        .json = [&] { return json(launch, rows); }},
                       format);
}

}  // namespace breakeven::bench
