// SPDX-License-Identifier: Apache-2.0
// `breakeven topology`: shows the ranks' devices, measures the links between them and says what is wrong.
#include <string>
#include <variant>

#include <fmt/format.h>

#include "mpi/transports.h"
#include "mpi/watchdog.h"
#include "src/bench/bench_options.h"
#include "src/bench/topology/topology_report.h"
#include "src/command/answer/shared_options.h"
#include "src/command/command.h"
#include "src/command/measure/with_session.h"
#include "src/core/terminate.h"
#include "src/core/text/output.h"
#include "src/measure/plan/launch_options.h"

namespace breakeven::command {
namespace {

struct TopologyOptions : bench::BenchOptions {
  std::string transport;
};

std::variant<TopologyOptions, UsageError, HelpText> parse(int argc, char** argv) {
  TopologyOptions o;
  CommandOptions options("mpirun -np N breakeven topology [OPTION...]");
  measure::add_backend(options, o.backend);
  options.add("transport", "auto", "how data travel between ranks: " + join_list(transport_words()),
              [&o](const std::string& word) {
                o.transport = word;
                return problem_of_word("transport", word, transport_words());
              });
  bench::add_rank_options(options, o, "one link");
  add_format(options, o.format);
  return options.read(argc, argv, o, &o.warnings);
}

ExitCode measure_topology(const Session& session, int argc, char** argv) {
  const auto parsed = parse(argc, argv);
  if (const auto code = answer_usage(session, parsed)) return *code;
  const auto& options = std::get<TopologyOptions>(parsed);
  set_time_limit(options.timeout_seconds);
  const auto device = bench::open_bench_device(session, options);
  if (device == nullptr) return ExitCode::environment;  // rank 0 has said why
  const auto transport =
      choose_transport("transport", options.transport, site_of(session, *device, options.share_gpus));
  if (const auto* error = std::get_if<UsageError>(&transport))
    return refuse_options(session, error->sentence);

  report_activity_as("measuring the links");
  const auto communicator = make_communicator(std::get<Transport>(transport), session.world(), *device);
  const Topology topology = measure_topology(session, *device, *communicator);
  warn_of_pauses(session);
  if (session.is_root())
    print_out("{}", bench::topology_report(topology, communicator->name(), options.format));
  return bench::links_right(topology) ? ExitCode::success : ExitCode::wrong_numbers;
}

}  // namespace

ExitCode topology_command(int argc, char** argv) { return with_session(argc, argv, measure_topology); }

}  // namespace breakeven::command
