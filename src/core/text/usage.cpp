// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/usage.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "src/core/records/topology.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/similar.h"

namespace breakeven {
namespace {

std::string_view command_summary;

}  // namespace

void set_command_summary(std::string_view summary) { command_summary = summary; }

std::string help_head(std::string_view usage) {
  std::string head = fmt::format("usage: {}\n", usage);
  if (command_summary.empty()) return head;
  std::string sentence(command_summary);
  sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return head + "\n" + sentence + ".\n";
}

std::string problem_of_word(std::string_view option, std::string_view word,
                            const std::vector<std::string>& legal) {
  if (std::ranges::find(legal, word) != legal.end()) return "";
  return fmt::format("--{} '{}' is not one of {}{}", option, word, join_list(legal),
                     did_you_mean(word, legal));
}

std::string problem_of_gpus(std::string_view word, int fewest, int ranks, std::string_view command_line) {
  constexpr std::uint32_t most_named = 1u << 16;  // more are a typing error
  if (const auto wanted = parse_count(word, most_named); wanted && static_cast<int>(*wanted) > ranks) {
    return fmt::format("--gpus {0} needs {0} ranks; this launch has {1}. Run: mpirun -np {0} {2}", *wanted,
                       ranks, command_line);
  }
  return fmt::format("--gpus '{}' is not 'all' or a number from {} to {}", word, fewest, ranks);
}

std::string problem_of_backend(std::string_view word) {
  std::vector<std::string> legal = all_words<Backend>();
  legal.insert(legal.begin(), "auto");
  return problem_of_word("backend", word, legal);
}

}  // namespace breakeven
