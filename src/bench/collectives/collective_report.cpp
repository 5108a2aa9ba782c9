// SPDX-License-Identifier: Apache-2.0
#include "src/bench/collectives/collective_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/report/columns.h"
#include "src/report/document.h"
#include "src/report/launch_json.h"
#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/tidy_row.h"

namespace breakeven {
namespace {

bool are_of_one_table(const CollectiveRow& one, const CollectiveRow& other) {
  return one.transport == other.transport && one.ranks == other.ranks && one.operation == other.operation;
}

std::string title_of(const CollectiveRow& row) {
  return fmt::format("{}, {} ranks over {}{}", name_of(row.operation), row.ranks,
                     row.operation == Collective::one_sided ? "mpi, host memory" : name_of(row.transport),
                     row.graph && row.operation != Collective::one_sided ? ", in a graph" : "");
}

const DeclaredColumns measured_columns{number("bytes", "Size", "bytes", "a call works on"),
                                       number("seconds", "Time", "s", "of one call"),
                                       number("algbw_bytes_per_second", "algbw", "bytes/s", "size / time"),
                                       number("busbw_bytes_per_second", "busbw", "bytes/s", "over each link"),
                                       number("wrong", "#wrong", "", "wrong values")};
const DeclaredTable declared_table{{.command = "collectives",
                                    .title = "{}, {} ranks over {}",
                                    .page = "collectives.md",
                                    .columns = measured_columns}};
const DeclaredTable declared_rows{
    {.command = "collectives",
     .json = "rows",
     .page = "collectives.md",
     .columns = joined({{columns::transport, columns::graph.meant("whether the calls are in a CUDA graph"),
                         datum("ranks", "", "that take part"), datum("operation", "", "what is called")},
                        measured_columns})}};
const DeclaredTable declared_whole{
    {.command = "collectives",
     .page = "collectives.md",
     .columns = joined({launch_columns(), {columns::right, datum("rows", "", "list of calls")}})}};

ReportTable table_of(const CollectiveRow& first) {
  ReportTable table = declared_table.empty();
  table.title = title_of(first);
  return table;
}

std::vector<ReportTable> tables_of(const std::vector<CollectiveRow>& rows) {
  std::vector<ReportTable> tables;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CollectiveRow& row = rows[i];
    if (i == 0 || !are_of_one_table(rows[i - 1], row)) tables.push_back(table_of(row));
    tables.back().rows.push_back({format_bytes(static_cast<double>(row.bytes)), format_seconds(row.seconds),
                                  format_bandwidth(row.algorithm_bandwidth()),
                                  format_bandwidth(row.bus_bandwidth()), fmt::format("{}", row.wrong)});
  }
  return tables;
}

ReportTable tidy(const std::vector<CollectiveRow>& rows) {
  ReportTable table = declared_rows.empty();
  for (const CollectiveRow& row : rows) {
    TidyRow tidy;
    tidy.add("transport", Cell(name_of(row.transport)))
        .add("graph", exact(row.graph))
        .add("ranks", static_cast<std::uint64_t>(row.ranks))
        .add("operation", Cell(name_of(row.operation)))
        .add("bytes", row.bytes)
        .add("seconds", row.seconds)
        .add("algbw_bytes_per_second", row.algorithm_bandwidth())
        .add("busbw_bytes_per_second", row.bus_bandwidth())
        .add("wrong", row.wrong);
    append(std::move(tidy), table);
  }
  return table;
}

Document document(const Launch& launch, const std::vector<CollectiveRow>& rows) {
  Document document;
  document.heading(1, "Collectives on " + machine_name(launch.topology));
  document.paragraph(
      "Times are per call, from several back-to-back calls on the slowest rank: the median of several "
      "batches. Roots take turns. The size counts the data of all ranks together. As in nccl-tests, algbw is "
      "size / time, busbw is what each link carries, and #wrong counts values that differ from the expected "
      "result. 1 GB/s is 1e9 bytes a second.");
  if (!all_right(rows)) document.paragraph("SOME VALUES WERE WRONG: do not trust this machine.");
  for (ReportTable& table : tables_of(rows)) document.table(std::move(table));
  document.item("Command: `" + launch.command_line + "`");
  document.item("Revision: " + launch.git_revision);
  document.item("Started: " + launch.started);
  return document;
}

std::string json(const Launch& launch, const std::vector<CollectiveRow>& rows) {
  nlohmann::ordered_json report{{"format", "breakeven collectives"}, {"version", collectives_version}};
  report.update(launch_as_json(launch));
  report["right"] = all_right(rows);
  report["rows"] = render_json(tidy(rows));
  return report.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

bool all_right(const std::vector<CollectiveRow>& rows) {
  return std::ranges::all_of(rows, [](const CollectiveRow& row) { return row.wrong == 0; });
}

std::string collective_report(const Launch& launch, const std::vector<CollectiveRow>& rows,
                              ReportFormat format) {
  switch (format) {
    case ReportFormat::json:
      return json(launch, rows);
    case ReportFormat::csv:
      return render_csv(tidy(rows));
    case ReportFormat::markdown:
      return document(launch, rows).markdown();
    case ReportFormat::text:
      break;
  }
  return document(launch, rows).text();
}

}  // namespace breakeven
