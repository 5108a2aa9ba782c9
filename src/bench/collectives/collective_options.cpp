// SPDX-License-Identifier: Apache-2.0
#include "src/bench/collectives/collective_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "mpi/transports.h"
#include "src/core/records/message_times.h"
#include "src/core/text/command_line.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/report/report_format.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

// As the user spells them, before lists are split and words are checked.
struct Spelled {
  std::string gpus, transports, operations, largest, graph, format;
};

po::options_description describe(Spelled& s, CollectiveOptions& o) {
  po::options_description text("mpirun -np N breakeven collectives [OPTION...]");
  const auto add = [&](const char* name, auto* value, const char* meaning) {
    text.add_options()(name, value, meaning);
  };
  add("gpus", po::value(&s.gpus)->default_value("all")->value_name("LIST"),
      "numbers of ranks to measure (2 or more), or all");
  add("transports", po::value(&s.transports)->default_value("auto")->value_name("LIST"),
      ("what carries the exchange: " + join_list(transport_words())).c_str());
  add("operations", po::value(&s.operations)->default_value("all")->value_name("LIST"),
      "all, or a list of all-reduce, reduce, broadcast, reduce-scatter, all-gather, one-sided, send");
  add("largest", po::value(&s.largest)->value_name("SIZE"),
      "largest message, such as 64MiB (default: 256 MiB; on the host 16 MiB)");
  add("graph", po::value(&s.graph)->default_value("on"),
      "on: calls run inside a CUDA graph where the transport allows it; off: outside");
  add("backend", po::value(&o.backend)->default_value("auto"), "cuda, host, or auto");
  add("share-gpus", po::bool_switch(&o.share_gpus),
      "allow several ranks on one GPU (they communicate over MPI)");
  add("timeout", po::value(&o.timeout_seconds)->default_value(o.timeout_seconds),
      "time limit in seconds for one operation of one group of ranks");
  add("format", po::value(&s.format)->default_value("text"), "text, markdown, csv or json");
  text.add_options()("help", "print this help");
  return text;
}

// The sentence of what is wrong, or "", as of the functions below.
std::string add_gpus(const Spelled& s, int ranks, CollectiveOptions& o) {
  for (const std::string& text : split_list(s.gpus)) {
    const auto most = static_cast<std::uint32_t>(ranks);
    const auto count = text == "all" ? std::optional(most) : parse_count(text, most);
    if (!count || *count < static_cast<std::uint32_t>(smallest_group)) {
      return fmt::format(
          "--gpus '{}': a collective needs 2 ranks or more; this launch has {}. For more, run: mpirun -np N "
          "breakeven collectives",
          text, ranks);
    }
    o.gpus.push_back(static_cast<int>(*count));
  }
  return "";
}

std::string add_operations(const Spelled& s, CollectiveOptions& o) {
  const std::vector<std::string> names(collective_names.begin(), collective_names.begin() + probed_kinds);
  for (const std::string& text : s.operations == "all" ? names : split_list(s.operations)) {
    const auto found = std::ranges::find(names, text);
    if (found == names.end())
      return fmt::format("--operations '{}' is unknown. Use 'all' or some of {}", text, join_list(names));
    o.operations.push_back(static_cast<Collective>(found - names.begin()));
  }
  return "";
}

std::string check_words(const Spelled& s, CollectiveOptions& o) {
  o.transports = split_list(s.transports);
  for (const std::string& text : o.transports) {
    const std::string wrong = problem_of_word("transports", text, transport_words());
    if (!wrong.empty()) return wrong;
  }
  if (const std::string wrong = problem_of_word("graph", s.graph, {"on", "off"}); !wrong.empty())
    return wrong;
  o.graph = s.graph == "on";
  if (!s.largest.empty() && (!parse_bytes(s.largest, o.largest_bytes) || o.largest_bytes < message_size(0)))
    return fmt::format("--largest '{}' is not a size of 4B or more, such as 64MiB", s.largest);
  if (const std::string wrong = problem_of_backend(o.backend); !wrong.empty()) return wrong;
  if (!(o.timeout_seconds > 0)) return "--timeout must be a positive number of seconds";
  const auto format = parse_format(s.format);
  if (const auto* error = std::get_if<UsageError>(&format)) return error->sentence;
  o.format = std::get<ReportFormat>(format);
  return "";
}

}  // namespace

std::variant<CollectiveOptions, UsageError, HelpText> parse_collective_options(int argc, char** argv,
                                                                               int ranks) {
  CollectiveOptions options;
  Spelled spelled;
  const auto read = read_command_line(argc, argv, describe(spelled, options), {}, &options.warnings);
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  std::string wrong = add_gpus(spelled, ranks, options);
  if (wrong.empty()) wrong = add_operations(spelled, options);
  if (wrong.empty()) wrong = check_words(spelled, options);
  if (!wrong.empty()) return UsageError{wrong};
  return options;
}

}  // namespace breakeven
