// SPDX-License-Identifier: Apache-2.0
#include "src/bench/collectives/collective_rows.h"

#include <fmt/format.h>

#include "src/core/terminate.h"

namespace breakeven::bench {
namespace {

void add_rows(const measure::ProbedGroup& group, Collective operation, std::uint64_t largest,
              CollectiveProbe& probe, std::vector<CollectiveRow>& rows) {
  if (!probe.is_possible(operation)) return;
  for (std::size_t place = 0; place < message_sizes && message_size(place) <= largest; ++place) {
    CollectiveRow row{group.transport, probe.in_graph(), group.ranks, operation, message_size(place)};
    row.wrong = probe.wrong_values(operation, row.bytes);
    row.seconds = probe.seconds(operation, row.bytes);
    rows.push_back(row);
  }
}

}  // namespace

double CollectiveRow::bus_bandwidth() const {
  const double others_share = (ranks - 1.0) / ranks;
  switch (operation) {
    case Collective::all_reduce:
      return 2 * others_share * algorithm_bandwidth();
    case Collective::reduce_scatter:
    case Collective::all_gather:
      return others_share * algorithm_bandwidth();
    default:
      return algorithm_bandwidth();
  }
}

std::vector<CollectiveRow> measure_collectives(const std::vector<measure::ProbedGroup>& groups,
                                               const CollectiveOptions& options,
                                               measure::RunContext& context) {
  const std::uint64_t largest =
      options.largest_bytes > 0 ? options.largest_bytes : measure::largest_message(context.device().info());
  std::vector<CollectiveRow> rows;
  for (const measure::ProbedGroup& group : groups) {
    report_activity_as(fmt::format("connecting {} ranks over {}", group.ranks, name_of(group.transport)));
    Communicator* const communicator = measure::communicator_of(group, context);
    for (const Collective operation : options.operations) {
      report_activity_as(fmt::format("{} among {} ranks over {}", name_of(operation), group.ranks,
                                     name_of(group.transport)));
      if (communicator != nullptr) {
        CollectiveProbe probe(context.device(), *communicator, context.group(group.ranks), group.in_graph);
        add_rows(group, operation, largest, probe, rows);
        communicator->check();
      }
      context.session().sleepy_barrier();  // ranks outside the group wait here
    }
  }
  return rows;
}

}  // namespace breakeven::bench
