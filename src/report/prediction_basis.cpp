// SPDX-License-Identifier: Apache-2.0
#include "src/report/prediction_basis.h"

#include <cmath>

#include <fmt/format.h>

#include "src/report/columns.h"
#include "src/report/numbers.h"

namespace breakeven {
namespace {

// An error in the logarithm as a share; what is but rounding is none.
Cell share_of(double log_error) {
  const double share = log_error < 1e-9 ? 0 : std::expm1(log_error);
  return {format_percent(share), share};
}

std::string warning_in_words(const std::string& name, const TransportModel& transport) {
  const CallCheck& check = transport.checks[static_cast<std::size_t>(Collective::all_reduce)];
  const std::string doubling = format_percent(std::expm1(check.error_a_doubling));
  if (check.is_assumed)
    return fmt::format(
        "The exchange over {} comes from {}. Beyond that it is taken to be known to {} for every "
        "doubling of the ranks: an assumption, since groups of several sizes were not measured.",
        name, transport.network.costs().source, doubling);
  return fmt::format(
      "The exchange over {} comes from {}. On the most ranks all-reduces were within {} a doubling (95 %) "
      "of what those on fewer gave; other calls are in the last table.",
      name, transport.network.costs().source, doubling);
}

constexpr std::uint64_t large = 64 << 20;
// Of a large call; not measured where it takes no time.
Cell bandwidth_cell(double seconds) {
  const double bandwidth = seconds > 0 ? double{large} / seconds : not_measured;
  return {format_bandwidth(bandwidth), bandwidth};
}

void add_calls(const std::string& name, const TransportModel& transport, ReportTable& table) {
  const CallCosts& costs = transport.network.costs();
  for (std::size_t place = 0; place < probed_kinds; ++place) {
    const auto kind = static_cast<Collective>(place);
    const double hop = kind == Collective::one_sided ? costs.one_sided_hop_seconds : costs.hop_seconds;
    if (!(hop >= 0 && costs.byte_seconds[place][0] >= 0)) continue;
    const CallCheck& check = transport.checks[place];
    const double start = kind == Collective::one_sided ? 0 : costs.start_seconds;
    table.rows.push_back({name, std::string(name_of(kind)), exact(std::uint64_t(costs.largest_group)),
                          Cell(format_seconds(start), start), Cell(format_seconds(hop), hop),
                          bandwidth_cell(costs.seconds_of_bytes(kind, large)),
                          bandwidth_cell(costs.seconds_of_own_bytes(kind, large)),
                          share_of(check.median_error), share_of(check.highest_error),
                          share_of(check.error_a_doubling),
                          Cell(check.is_assumed ? "yes" : "no", check.is_assumed)});
  }
}

}  // namespace

std::vector<std::string> basis_in_words(const ScaleModel& model) {
  std::vector<std::string> sentences;
  for (const auto& [name, transport] : model.transports_known())
    sentences.push_back(warning_in_words(name, transport));
  if (!model.has_roofline())
    sentences.emplace_back(
        "A launch measured no ceilings: the best that whole steps on one GPU did stands in for them.");
  return sentences;
}

const DeclaredTable declared_levels{
    {.command = "predict",
     .json = "levels",
     .title = "The machine: {}",
     .page = "predict.md",
     .columns = {words("level", "Level", "of the machine, lowest first"),
                 number("joins", "Joins", "", "GPUs"), columns::latency_seconds, columns::bytes_per_second,
                 words("from", "From", "measured here, or the topology file")}}};

ReportTable levels_table(const ScaleModel& model) {
  ReportTable table = declared_levels.empty();
  table.title = fmt::format("The machine: {}", model.machine().name);
  for (const LinkLevel& level : model.machine().levels) {
    const bool any = level.joins >= gpus_of(machine_as_measured());
    table.rows.push_back({level.name,
                          any ? Cell("any number", Cell::Value{}) : exact(std::uint64_t(level.joins)),
                          Cell(format_seconds(level.latency_seconds), level.latency_seconds),
                          Cell(format_bandwidth(level.bytes_per_second), level.bytes_per_second),
                          level.is_measured ? "measured here" : "the topology's file"});
  }
  return table;
}

const DeclaredTable declared_calls{
    {.command = "predict",
     .json = "calls",
     .title = "Calls as measured, fitted; the formula's error on the measured calls",
     .page = "predict.md",
     .columns = {columns::transport.headed("Trans-\nport"), words("call", "Call", "operation"),
                 number("ranks", "Up to\nranks", "", "of the largest measured group"),
                 number("start_seconds", "Start", "s", "of a call"),
                 number("hop_seconds", "A hop\n(alpha)", "s", "from rank to rank"),
                 number("link_bytes_per_second", "beta at\n64 MiB", "bytes/s", "on the links"),
                 number("own_bytes_per_second", "gamma at\n64 MiB", "bytes/s", "within the GPU"),
                 number("median_error", "Error,\nmedian", "share", "of the formula on measured calls"),
                 number("highest_error", "highest", "share", "of the same errors"),
                 number("error_a_doubling", "A doubling,\n95 %", "share",
                        "for each doubling of ranks beyond the measured"),
                 words("is_assumed", "Assumed", "whether that error is assumed")}}};

ReportTable calls_table(const ScaleModel& model) {
  ReportTable table = declared_calls.empty();
  for (const auto& [name, transport] : model.transports_known()) add_calls(name, transport, table);
  return table;
}

}  // namespace breakeven
