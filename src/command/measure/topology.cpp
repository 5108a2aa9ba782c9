// SPDX-License-Identifier: Apache-2.0
// `breakeven topology`: the ranks' devices, the links between them, and what is wrong with this launch.
#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <variant>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "mpi/communicator.h"
#include "mpi/open_device.h"
#include "mpi/versions.h"
#include "mpi/watchdog.h"
#include "src/command/command.h"
#include "src/command/measure/topology_report.h"
#include "src/core/terminate.h"
#include "src/core/text/legal_words.h"
#include "src/core/text/usage.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

struct Options {
  std::string backend;
  std::string collective;
  std::string format;
  double timeout_seconds = 0;
  bool share_gpus = false;
  std::string help;  // the text, where it was asked for
};

constexpr std::array<std::string_view, 4> formats{"text", "markdown", "csv", "json"};  // as in ReportFormat

po::options_description describe(Options& o) {
  po::options_description all("Options");
  auto add = all.add_options();
  add("backend", po::value(&o.backend)->default_value("auto"), "cuda, host, or auto");
  add("collective", po::value(&o.collective)->default_value("auto"),
      "what carries the data: nccl, mpi, or auto");
  add("share-gpus", po::bool_switch(&o.share_gpus), "let ranks share a GPU; the data then go over mpi");
  add("timeout", po::value(&o.timeout_seconds)->default_value(60),
      "seconds until a link that is silent ends the job");
  add("format", po::value(&o.format)->default_value("text"), "text, markdown, csv or json");
  add("help", "print this text");
  return all;
}

// What is wrong with the options, or "".
std::string problem(const Options& o) {
  std::string wrong = problem_of_backend(o.backend);
  if (wrong.empty()) wrong = problem_of_word("collective", o.collective, {"auto", "nccl", "mpi"});
  if (wrong.empty()) wrong = problem_of_word("format", o.format, {formats.begin(), formats.end()});
  if (!wrong.empty()) return wrong;
  if (!(o.timeout_seconds > 0)) return "--timeout must be a positive number of seconds";
  if (o.share_gpus && o.collective == "nccl")
    return "--collective nccl refuses ranks that share a GPU: use mpi";
  return "";
}

std::variant<Options, UsageError> parse(int argc, char** argv) {
  Options options;
  const po::options_description all = describe(options);
  try {  // answered by value, before anything collective exists
    po::variables_map given;
    po::store(po::command_line_parser(argc, argv).options(all).positional({}).run(), given);
    po::notify(given);
    if (given.count("help") != 0) {
      std::ostringstream text;
      text << "mpirun -np N breakeven topology [OPTION...]\n" << all;
      options.help = text.str();
    }
  } catch (const po::error& error) {
    return UsageError{fmt::format("{} (--help lists the options)", error.what())};
  }
  const std::string wrong = problem(options);
  if (!wrong.empty()) return UsageError{wrong};
  return options;
}

// NCCL where it can be; the sentence of why it cannot where it was asked for by name.
std::variant<std::string, UsageError> choose_collective(const Options& options, const Device& device) {
  const bool possible = device.info().backend == "cuda" && nccl_version() != "none" && !options.share_gpus;
  if (options.collective == "auto") return std::string(possible ? "nccl" : "mpi");
  if (options.collective == "nccl" && !possible) {
    return UsageError{"--collective nccl needs the cuda backend and a build with NCCL: use mpi"};
  }
  return options.collective;
}

std::unique_ptr<Communicator> make_communicator(const Session& session, const std::string& collective,
                                                Device& device, double timeout_seconds) {
  if (collective == "nccl") return make_nccl_communicator(session.world(), device, timeout_seconds);
  return make_mpi_communicator(session.world(), device);
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
  const Options& options = std::get<Options>(parsed);
  if (!options.help.empty()) {
    if (session.is_root()) fmt::print("{}", options.help);
    return ExitCode::success;
  }
  const auto device = open_device(session, options.backend, options.share_gpus);
  if (device == nullptr) return ExitCode::environment;  // rank 0 has said why
  const auto collective = choose_collective(options, *device);
  if (const auto* error = std::get_if<UsageError>(&collective)) return refuse(session, error->sentence);

  report_activity_as("measuring the links");
  Watchdog watchdog(options.timeout_seconds);
  const auto communicator =
      make_communicator(session, std::get<std::string>(collective), *device, options.timeout_seconds);
  const Topology topology = measure_topology(session, *device, *communicator, &watchdog);
  if (session.is_root()) {
    const auto format = std::find(formats.begin(), formats.end(), options.format) - formats.begin();
    fmt::print("{}", topology_report(topology, communicator->name(), static_cast<ReportFormat>(format)));
  }
  return links_right(topology) ? ExitCode::success : ExitCode::wrong_numbers;
}

}  // namespace breakeven
