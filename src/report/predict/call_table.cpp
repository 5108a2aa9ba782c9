// SPDX-License-Identifier: Apache-2.0
// The calls that `predict` knows from measurements, and the errors of the fitted formula on them.
#include <cmath>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/predict/scaling_tables.h"

namespace breakeven::report {
namespace {

// An error in the logarithm as a share; rounding errors count as 0.
Cell share_of(double log_error) {
  const double share = log_error < 1e-9 ? 0 : std::expm1(log_error);
  return {format_percent(share), share};
}

constexpr std::uint64_t large_call_bytes = 64 << 20;
// The bandwidth of a large call; a dash if the call takes no time.
Cell bandwidth_cell(double seconds) {
  const double bandwidth = seconds > 0 ? double{large_call_bytes} / seconds : not_measured;
  return {format_bandwidth(bandwidth), bandwidth};
}

void add_calls(const std::string& name, const predict::TransportModel& transport, ReportTable& table) {
  const predict::CallCosts& costs = transport.interconnect.costs();
  const auto transport_of = [&](Collective kind) -> std::string {
    return kind == Collective::one_sided ? "mpi, host memory" : name;  // whatever the transport
  };
  for (std::size_t place = 0; place < probed_kinds; ++place) {
    const auto kind = static_cast<Collective>(place);
    const predict::CallCosts::SmallCall small = costs.small_call(kind, costs.largest_group);
    if (!(small.hop_seconds >= 0 && costs.is_measured(kind))) continue;
    const predict::CallCheck& check = transport.checks[place];
    table.rows.push_back(
        {transport_of(kind), std::string(name_of(kind)), count_cell(costs.largest_group),
         seconds_cell(small.start_seconds), seconds_cell(small.hop_seconds),
         bandwidth_cell(costs.seconds_of_bytes(kind, large_call_bytes, costs.largest_group)),
         bandwidth_cell(costs.seconds_of_own_bytes(kind, large_call_bytes, costs.largest_group)),
         share_of(check.median_error), share_of(check.highest_error), share_of(check.error_a_doubling),
         Cell(check.is_assumed ? "yes" : "no", check.is_assumed)});
  }
}

}  // namespace

const DeclaredTable declared_calls{
    {.command = "predict",
     .json = "calls",
     .title = "Calls: the formula that was fitted to the measured ones, and its error on them",
     .page = "predict.md",
     .columns = {columns::transport.headed("Transport"), words("call", "Call", "operation"),
                 number("ranks", "Up to\nranks", "", "of the largest measured group"),
                 number("start_seconds", "Start", "s", "of a call"),
                 number("hop_seconds", "A hop\n(alpha)", "s", "from rank to rank"),
                 number("link_bytes_per_second", "beta at\n64 MiB", "bytes/s", "on the links"),
                 number("own_bytes_per_second", "gamma at\n64 MiB", "bytes/s", "within the GPU"),
                 number("median_error", "Error,\nmedian", "share", "of the formula on measured calls"),
                 number("highest_error", "highest", "share", "of the same errors"),
                 number("error_a_doubling", "A doubling,\n95 %", "share",
                        "for each doubling of ranks beyond the measured"),
                 datum("is_assumed", "", "whether that error is assumed").typed(JsonType::truth)}}};

ReportTable calls_table(const predict::ScaleModel& model) {
  ReportTable table = declared_calls.empty();
  for (const auto& [name, transport] : model.transports_known()) add_calls(name, transport, table);
  return table;
}

ReportTable printed_calls(const predict::ScaleModel& model) {
  ReportTable table = calls_table(model);
  for (std::vector<Cell>& row : table.rows)
    if (row.back().text == "yes") row[row.size() - 2].text += ", assumed";
  drop_column("is_assumed", table);
  return table;
}

}  // namespace breakeven::report
