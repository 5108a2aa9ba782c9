// SPDX-License-Identifier: Apache-2.0
// `breakeven topology`: the ranks' devices, the links between them, and what is wrong with this launch.
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "mpi/open_device.h"
#include "mpi/transports.h"
#include "mpi/watchdog.h"
#include "src/command/command.h"
#include "src/command/measure/print_warnings.h"
#include "src/command/measure/topology_report.h"
#include "src/core/terminate.h"
#include "src/core/text/command_line.h"
#include "src/core/text/lists.h"
#include "src/core/text/usage.h"
#include "src/report/report_format.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

struct Options {
  std::string backend;
  std::string transport;
  std::string format;
  double timeout_seconds = 0;
  bool share_gpus = false;
  std::vector<std::string> warnings;
};

po::options_description describe(Options& o) {
  po::options_description all("mpirun -np N breakeven topology [OPTION...]");
  auto add = all.add_options();
  add("backend", po::value(&o.backend)->default_value("auto"), "cuda, host, or auto");
  add("transport", po::value(&o.transport)->default_value("auto"),
      ("what carries the data: " + join_list(transport_words())).c_str());
  add("share-gpus", po::bool_switch(&o.share_gpus),
      "allow several ranks on one GPU (they communicate over MPI)");
  add("timeout", po::value(&o.timeout_seconds)->default_value(60),
      "abort the job if a link does not answer for this many seconds");
  add("format", po::value(&o.format)->default_value("text"), "text, markdown, csv or json");
  add("help", "print this help");
  return all;
}

// What is wrong with the options, or "".
std::string problem(const Options& o) {
  std::string wrong = problem_of_backend(o.backend);
  if (wrong.empty()) wrong = problem_of_word("transport", o.transport, transport_words());
  if (!wrong.empty()) return wrong;
  const auto format = parse_format(o.format);
  if (const auto* error = std::get_if<UsageError>(&format)) return error->sentence;
  return o.timeout_seconds > 0 ? "" : "--timeout must be a positive number of seconds";
}

std::variant<Options, UsageError, HelpText> parse(int argc, char** argv) {
  Options options;
  const auto read = read_command_line(argc, argv, describe(options), {}, &options.warnings);
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  const std::string wrong = problem(options);
  if (!wrong.empty()) return UsageError{wrong};
  return options;
}

ExitCode refuse(const Session& session, const std::string& sentence) {
  if (session.is_root()) fmt::print(stderr, "breakeven: {}\n", sentence);
  return ExitCode::usage;
}

}  // namespace

ExitCode topology_command(int argc, char** argv) {
  const Session session(&argc, &argv);
  const auto parsed = parse(argc, argv);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return refuse(session, error->sentence);
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    if (session.is_root()) fmt::print("{}", help->text);
    return ExitCode::success;
  }
  const Options& options = std::get<Options>(parsed);
  print_warnings(session, options.warnings);
  const auto device = open_device(session, options.backend, options.share_gpus);
  if (device == nullptr) return ExitCode::environment;  // rank 0 has said why
  const auto transport =
      choose_transport("transport", options.transport, site_of(*device, options.share_gpus));
  if (const auto* error = std::get_if<UsageError>(&transport)) return refuse(session, error->sentence);

  report_activity_as("measuring the links");
  Watchdog watchdog(options.timeout_seconds);
  const auto communicator =
      make_communicator(std::get<Transport>(transport), session.world(), *device, options.timeout_seconds);
  const Topology topology = measure_topology(session, *device, *communicator, &watchdog);
  if (session.is_root()) {
    const auto format = std::get<ReportFormat>(parse_format(options.format));  // the word has been checked
    fmt::print("{}", topology_report(topology, communicator->name(), format));
  }
  return links_right(topology) ? ExitCode::success : ExitCode::wrong_numbers;
}

}  // namespace breakeven
