// SPDX-License-Identifier: Apache-2.0
// `breakeven collectives`: times collective operations at each message size and checks their results.
#include <algorithm>

#include "mpi/topology.h"
#include "mpi/transports.h"
#include "mpi/watchdog.h"
#include "src/bench/collectives/collective_options.h"
#include "src/bench/collectives/collective_report.h"
#include "src/command/answer/file_command.h"
#include "src/command/command.h"
#include "src/command/measure/with_session.h"
#include "src/core/terminate.h"
#include "src/measure/recorded_environment.h"

namespace breakeven::command {
namespace {

// Every transport with every number of ranks.
std::variant<std::vector<measure::ProbedGroup>, UsageError> groups_of(const bench::CollectiveOptions& options,
                                                                      const Session& session,
                                                                      const Device& device) {
  std::vector<measure::ProbedGroup> groups;
  for (const std::string& word : options.transports) {
    const auto transport = choose_transport("transports", word, site_of(session, device, options.share_gpus));
    if (const auto* error = std::get_if<UsageError>(&transport)) return *error;
    for (const int ranks : options.gpus) {
      const measure::ProbedGroup group{std::get<Transport>(transport), ranks, ranks, options.graph};
      if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
    }
  }
  return groups;
}

ExitCode measure_collectives(const Session& session, int argc, char** argv) {
  const auto parsed = bench::parse_collective_options(argc, argv, session.size());
  if (const auto code = answer_usage(session, parsed)) return *code;
  const auto& options = std::get<bench::CollectiveOptions>(parsed);
  set_time_limit(options.timeout_seconds);
  const auto device = bench::open_bench_device(session, options);
  if (device == nullptr) return ExitCode::environment;  // rank 0 has said why
  const auto groups = groups_of(options, session, *device);
  if (const auto* error = std::get_if<UsageError>(&groups)) return refuse_options(session, error->sentence);

  measure::RunOptions shared;  // for the RunContext
  shared.timeout_seconds = options.timeout_seconds;
  measure::RunContext context(session, *device, shared, nullptr);
  report_activity_as("measuring communication");
  Launch launch = measure::describe_launch(argc, argv, {}, context.monitor().driver_version());
  launch.topology.ranks = gather_ranks(session, device->info());
  const std::vector<bench::CollectiveRow> rows =
      bench::measure_collectives(std::get<std::vector<measure::ProbedGroup>>(groups), options, context);
  warn_of_pauses(session);
  return write_on_root(session, [&] {
    write_text(bench::collective_report(launch, rows, options.format), "", "the report");
    return bench::all_right(rows) ? ExitCode::success : ExitCode::wrong_numbers;
  });
}

}  // namespace

ExitCode collectives_command(int argc, char** argv) { return with_session(argc, argv, measure_collectives); }

}  // namespace breakeven::command
