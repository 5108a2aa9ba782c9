// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/similar.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace breakeven {
namespace {

constexpr std::size_t letters_an_error = 3;

std::size_t errors_allowed(std::string_view choice) {
  return std::max<std::size_t>(1, choice.size() / letters_an_error);
}

// Row by row of the matrix of distances between beginnings of both words. Only three rows are needed.
std::size_t errors_between(std::string_view one, std::string_view other) {
  std::array<std::vector<std::size_t>, 3> rows;
  for (auto& row : rows) row.resize(other.size() + 1);
  auto& [before_last, last, row] = rows;
  for (std::size_t j = 0; j <= other.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t wrong = one[i - 1] == other[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + wrong});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[other.size()];
}

}  // namespace

std::string most_similar(std::string_view word, std::span<const std::string> choices) {
  std::string best;
  std::size_t fewest = 0;
  for (const std::string& choice : choices) {
    const std::size_t allowed = errors_allowed(choice);
    if (word.empty() || word.size() > choice.size() + allowed || choice.size() > word.size() + allowed)
      continue;
    const std::size_t errors = errors_between(word, choice);
    if (errors <= allowed && errors < choice.size() && (best.empty() || errors < fewest)) {
      best = choice;
      fewest = errors;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> choices) {
  const std::string meant = most_similar(word, choices);
  return meant.empty() ? "" : fmt::format(". Did you mean '{}'?", meant);
}

}  // namespace breakeven
