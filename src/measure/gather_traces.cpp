// SPDX-License-Identifier: Apache-2.0
// Traces differ in size from rank to rank, so they travel as binary JSON (CBOR).
#include <nlohmann/json.hpp>

#include "mpi/group.h"
#include "mpi/mpi_call.h"
#include "src/measure/trace_case.h"

namespace breakeven::measure {
namespace {

using Json = nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

Json packed(const NodeRecord& node) {
  return {node.kind,  node.name,       node.label,  node.start_ns, node.end_ns, node.stream,
          node.graph, node.graph_node, node.launch, node.grid,     node.block,  node.bytes};
}

NodeRecord unpacked_node(const Json& packed) {
  NodeRecord node;
  std::size_t at = 0;
  const auto read = [&](auto& value) { packed.at(at++).get_to(value); };
  read(node.kind), read(node.name), read(node.label), read(node.start_ns), read(node.end_ns),
      read(node.stream);
  read(node.graph), read(node.graph_node), read(node.launch), read(node.grid), read(node.block),
      read(node.bytes);
  return node;
}

// What the timeline shows of a run (src/report/trace/run_trace.cpp).
constexpr std::array shown_series{&RunRecord::seconds, &RunRecord::host_seconds, &RunRecord::start_seconds,
                                  &RunRecord::loss};
constexpr std::array shown_values{&RunRecord::start_uncertainty_seconds, &RunRecord::steps_a_launch};
constexpr std::array shown_readings{&Telemetry::utilization_percent, &Telemetry::sm_clock_hz,
                                    &Telemetry::temperature_celsius, &Telemetry::power_watts};

Bytes packed(const TracedRank& rank) {
  Json nodes = Json::array(), series = Json::array(), values = Json::array(), readings = Json::array();
  for (const NodeRecord& node : rank.recording.nodes) nodes.push_back(packed(node));
  for (const auto member : shown_series) series.push_back(rank.record.*member);
  for (const auto member : shown_values) values.push_back(rank.record.*member);
  for (const auto member : shown_readings) readings.push_back(rank.record.telemetry.*member);
  return Json::to_cbor({{"untraced", rank.untraced_seconds},
                        {"traced", rank.traced_seconds},
                        {"steps_a_launch", rank.steps_a_launch},
                        {"steps", rank.record.steps},
                        {"series", series},
                        {"values", values},
                        {"readings", readings},
                        {"dropped", rank.recording.dropped},
                        {"uncertainty", rank.recording.uncertainty_seconds},
                        {"nodes", nodes}});
}

TracedRank unpacked(const Bytes& bytes) {
  const Json packed = Json::from_cbor(bytes);
  TracedRank rank;
  packed.at("untraced").get_to(rank.untraced_seconds);
  packed.at("traced").get_to(rank.traced_seconds);
  packed.at("steps_a_launch").get_to(rank.steps_a_launch);
  rank.record = RunRecord(packed.at("steps").get<std::uint32_t>());
  for (std::size_t i = 0; i < shown_series.size(); ++i)
    packed.at("series").at(i).get_to(rank.record.*shown_series[i]);
  for (std::size_t i = 0; i < shown_values.size(); ++i)
    packed.at("values").at(i).get_to(rank.record.*shown_values[i]);
  for (std::size_t i = 0; i < shown_readings.size(); ++i)
    packed.at("readings").at(i).get_to(rank.record.telemetry.*shown_readings[i]);
  packed.at("dropped").get_to(rank.recording.dropped);
  packed.at("uncertainty").get_to(rank.recording.uncertainty_seconds);
  for (const Json& node : packed.at("nodes")) rank.recording.nodes.push_back(unpacked_node(node));
  return rank;
}

}  // namespace

std::vector<TracedRank> gather_traces(const TracedRank& mine, MPI_Comm group) {
  const int rank = rank_in(group), ranks = size_of(group);
  const Bytes bytes = packed(mine);
  const int size = static_cast<int>(bytes.size());
  std::vector<int> sizes(static_cast<std::size_t>(ranks));
  MPI_CALL(MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, group));
  if (rank != 0) {
    MPI_CALL(MPI_Send(bytes.data(), size, MPI_BYTE, 0, 0, group), "sending the trace to rank 0");
    return {};
  }
  std::vector<TracedRank> all{unpacked(bytes)};
  for (int from = 1; from < ranks; ++from) {
    Bytes received(static_cast<std::size_t>(sizes[static_cast<std::size_t>(from)]));
    MPI_CALL(MPI_Recv(received.data(), static_cast<int>(received.size()), MPI_BYTE, from, 0, group,
                      MPI_STATUS_IGNORE),
             "receiving a rank's trace");
    all.push_back(unpacked(received));
  }
  return all;
}

}  // namespace breakeven::measure
