// SPDX-License-Identifier: Apache-2.0
#include "src/report/prediction_basis.h"

#include <cmath>

#include <fmt/format.h>

#include "src/report/numbers.h"

namespace breakeven {
namespace {

// An error in the logarithm as a share.
Cell share_of(double log_error) { return {format_percent(std::expm1(log_error)), std::expm1(log_error)}; }

std::string doubt_in_words(const std::string& name, const ScaleModel::Transport& transport) {
  const CallCheck& check = transport.check;
  const std::string doubling = format_percent(std::expm1(check.error_a_doubling));
  if (check.is_assumed)
    return fmt::format(
        "The exchange over {} comes from {}. Beyond that it is taken to be known to {} for every "
        "doubling of the ranks: an assumption, since groups of several sizes were not measured.",
        name, transport.network.costs().source, doubling);
  return fmt::format(
      "The exchange over {} comes from {}. On the most ranks calls were within {} a doubling (95 %) "
      "of what those on fewer gave.",
      name, transport.network.costs().source, doubling);
}

}  // namespace

std::vector<std::string> basis_in_words(const ScaleModel& model) {
  std::vector<std::string> sentences;
  for (const auto& [name, transport] : model.transports_known())
    sentences.push_back(doubt_in_words(name, transport));
  if (!model.has_ceilings())
    sentences.emplace_back(
        "A launch measured no ceilings: the best that whole steps on one GPU did stands in for them.");
  return sentences;
}

ReportTable levels_table(const ScaleModel& model) {
  ReportTable table{fmt::format("The machine: {}", model.machine().name),
                    {{"level", "Level", Align::left},
                     {"joins", "Joins"},
                     {"latency_seconds", "Latency"},
                     {"bytes_per_second", "Bandwidth"},
                     {"from", "From", Align::left}},
                    {}};
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

ReportTable calls_table(const ScaleModel& model) {
  constexpr std::uint64_t large = 64 << 20;
  ReportTable table{"Calls as measured, fitted; the formula's error on the measured calls",
                    {{"transport", "Transport", Align::left},
                     {"ranks", "Up to\nranks"},
                     {"start_seconds", "Start"},
                     {"hop_seconds", "A hop\n(alpha)"},
                     {"large_bytes_per_second", "beta of 64 MiB\nin an all-reduce"},
                     {"median_error", "Error,\nmedian"},
                     {"highest_error", "highest"},
                     {"error_a_doubling", "A doubling,\n95 %"},
                     {"is_assumed", "Assumed", Align::left}},
                    {}};
  for (const auto& [name, transport] : model.transports_known()) {
    const CallCosts& costs = transport.network.costs();
    const double beta = double{large} / costs.seconds_of_bytes(Collective::all_reduce, large);
    table.rows.push_back({name, exact(std::uint64_t(costs.largest_group)),
                          Cell(format_seconds(costs.start_seconds), costs.start_seconds),
                          Cell(format_seconds(costs.hop_seconds), costs.hop_seconds),
                          Cell(format_bandwidth(beta), beta), share_of(transport.check.median_error),
                          share_of(transport.check.highest_error), share_of(transport.check.error_a_doubling),
                          Cell(transport.check.is_assumed ? "yes" : "no", transport.check.is_assumed)});
  }
  return table;
}

}  // namespace breakeven
