// SPDX-License-Identifier: Apache-2.0
// `breakeven collectives`: times collective operations at each message size and checks their results.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "mpi/open_device.h"
#include "mpi/topology.h"
#include "mpi/versions.h"
#include "src/bench/collectives/collective_options.h"
#include "src/bench/collectives/collective_report.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/core/terminate.h"
#include "src/measure/provenance.h"

namespace breakeven {
namespace {

ExitCode refuse(const Session& session, const std::string& sentence) {
  if (session.is_root()) fmt::print(stderr, "breakeven: {}\n", sentence);
  return ExitCode::usage;
}

// Every transport with every number of ranks, each once.
std::vector<ProbedGroup> groups_of(const CollectiveOptions& options, bool has_nccl) {
  std::vector<ProbedGroup> groups;
  for (const std::string& word : options.transports) {
    const std::string transport = word != "auto" ? word : has_nccl ? "nccl" : "mpi";
    for (const int ranks : options.gpus) {
      const ProbedGroup group{transport, ranks, ranks, options.graph};
      if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
    }
  }
  return groups;
}

bool asks_for_nccl(const CollectiveOptions& options) {
  return std::ranges::find(options.transports, "nccl") != options.transports.end();
}

}  // namespace

ExitCode collectives_command(int argc, char** argv) {
  const Session session(&argc, &argv);
  const auto parsed = parse_collective_options(argc, argv, session.size());
  if (const auto* error = std::get_if<UsageError>(&parsed)) return refuse(session, error->sentence);
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    if (session.is_root()) fmt::print("{}", help->text);
    return ExitCode::success;
  }
  const auto& options = std::get<CollectiveOptions>(parsed);
  const auto device = open_device(session, options.backend, options.share_gpus);
  if (device == nullptr) return ExitCode::environment;  // rank 0 has said why
  const bool has_nccl = device->info().backend == "cuda" && nccl_version() != "none" && !options.share_gpus;
  if (asks_for_nccl(options) && !has_nccl)
    return refuse(session, "--collectives nccl needs the cuda backend and a build with NCCL: use mpi");

  RunOptions shared;  // what the workbench goes by
  shared.timeout_seconds = options.timeout_seconds;
  RunContext bench(session, *device, shared, nullptr);
  report_activity_as("measuring communication");
  Watchdog watchdog(options.timeout_seconds);
  Launch launch = describe_launch(argc, argv, {}, bench.monitor().driver_version());
  launch.topology.ranks = gather_ranks(session, device->info());
  const std::vector<CollectiveRow> rows =
      measure_collectives(groups_of(options, has_nccl), options, bench, watchdog);
  if (session.is_root()) write_text(collective_report(launch, rows, options.format), "", "the report");
  return session.agree(all_right(rows) ? ExitCode::success : ExitCode::wrong_numbers);
}

}  // namespace breakeven
