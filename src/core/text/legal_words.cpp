// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/legal_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/precision.h"
#include "src/core/text/lists.h"

namespace breakeven {

std::string problem_of_word(std::string_view option, std::string_view word,
                            const std::vector<std::string>& legal) {
  if (std::ranges::find(legal, word) != legal.end()) return "";
  return fmt::format("--{} '{}' is not one of {}", option, word, join_list(legal));
}

std::string problem_of_backend(std::string_view word) {
  return problem_of_word("backend", word, {"auto", "cuda", "host"});
}

std::string problem_of_precision(std::string_view word) {
  return problem_of_word("precisions", word, {precision_names.begin(), precision_names.end()});
}

}  // namespace breakeven
