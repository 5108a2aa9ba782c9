// SPDX-License-Identifier: Apache-2.0
#include "src/bench/collectives/collective_options.h"

#include <fmt/format.h>

#include "mpi/transports.h"
#include "src/command/answer/shared_options.h"
#include "src/core/records/message_times.h"
#include "src/measure/plan/launch_options.h"

namespace breakeven::bench {
namespace {

LegalWords<Collective> operations() {
  LegalWords<Collective> all;
  for (std::size_t kind = 0; kind < probed_kinds; ++kind)
    all.emplace_back(collective_names[kind], static_cast<Collective>(kind));
  return all;
}

LegalWords<std::string> transport_choices() {
  LegalWords<std::string> all;
  for (const std::string& word : transport_words()) all.emplace_back(word, word);
  return all;
}

std::string read_largest(const std::string& text, CollectiveOptions& o) {
  if (parse_bytes(text, o.largest_bytes) && o.largest_bytes >= message_size(0)) return "";
  return fmt::format("--largest '{}' is not a size of 4B or more, such as 64MiB", text);
}

std::string read_graph(const std::string& word, CollectiveOptions& o) {
  o.graph = word == "on";
  return problem_of_word("graph", word, {"on", "off"});
}

}  // namespace

std::variant<CollectiveOptions, UsageError, HelpText> parse_collective_options(int argc, char** argv,
                                                                               int ranks) {
  CollectiveOptions o;
  CommandOptions options("mpirun -np N breakeven collectives [OPTION...]");
  add_gpus(options, "collectives", smallest_group, ranks, o.gpus);
  options.add_list("transports", "auto", "how data travel between ranks: " + join_list(transport_words()),
                   list_of_words("transports", transport_choices(), o.transports));
  options.add_list("operations", "all", "all, or a list of " + join_list(spellings(operations())),
                   all_or_list_of_words("operations", operations(), o.operations));
  options.add(
      "largest", "", "largest message, such as 64MiB (default: 256 MiB; on the host 4 MiB)",
      [&o](const std::string& text) { return read_largest(text, o); }, "SIZE");
  options.add("graph", "on", "on: calls run inside a CUDA graph where the transport allows it; off: outside",
              [&o](const std::string& word) { return read_graph(word, o); });
  measure::add_backend(options, o.backend);
  add_rank_options(options, o, "one operation of one group of ranks");
  command::add_format(options, o.format);
  return options.read(argc, argv, o, &o.warnings);
}

}  // namespace breakeven::bench
