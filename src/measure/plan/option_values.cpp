// SPDX-License-Identifier: Apache-2.0
#include "src/measure/plan/option_values.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/measure/plan/launch_options.h"

namespace breakeven::measure {

std::string read_order(const std::string& text, RunOptions& options) {
  constexpr std::uint32_t most_order_number = 1'000'000;
  constexpr std::string_view numbered = "random:";
  options.random_order = text != "listed";
  if (text.starts_with(numbered)) {
    const auto number = parse_count(std::string_view(text).substr(numbered.size()), most_order_number);
    if (number) return options.order_number = *number, "";
    return fmt::format("--order '{}' has no number from 1 to {} behind random:", text, most_order_number);
  }
  return problem_of_word("order", text, {"random", "listed"});
}

std::string read_optimizer(const std::string& text, OptimizerKind& optimizer) {
  const auto known = find_value<OptimizerKind>(text);
  if (known) optimizer = *known;
  return problem_of_word("optimizer", text, all_words<OptimizerKind>());
}

std::string read_until(const std::string& text, RunOptions& options) {
  const auto parsed = parse_quality_target(text);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return error->sentence;
  options.until = std::get<QualityTarget>(parsed);
  if (options.until->measure == QualityMeasure::accuracy && options.dataset.empty())
    return "--until accuracy needs a --dataset with test_features and test_targets";
  if (options.until->measure == QualityMeasure::loss && options.smooth > options.warmup + options.steps) {
    return fmt::format("--smooth must be from 1 to {}, the steps of a run with its warm-up",
                       options.warmup + options.steps);
  }
  return "";
}

namespace {

// Whether a variable of NCCL names code that it loads, or a file that it reads or writes. A suite may come
// from anybody, so it cannot set these.
bool names_a_file(const std::string& name) {
  return std::ranges::any_of(
      std::array{"PLUGIN", "FILE", "DIR", "PATH", "LIB", "LIBRARY"},
      [&](const char* kind) { return (name + "_").find(fmt::format("_{}_", kind)) != name.npos; });
}

}  // namespace

std::string read_nccl(const std::vector<std::string>& words,
                      std::vector<std::pair<std::string, std::string>>& variables) {
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || !word.starts_with("NCCL_")) {
      return fmt::format("--nccl '{}' is not of the form NCCL_NAME=VALUE", word);
    }
    const std::string name = word.substr(0, equals);
    if (names_a_file(name))
      return fmt::format("--nccl '{}' names a file or code to load. Set {} in the environment", word, name);
    variables.emplace_back(name, word.substr(equals + 1));
  }
  return "";
}

bool parse_seconds(std::string_view text, double& seconds) {
  const std::optional<double> number = parse_number<double>(text);
  const std::optional<double> parsed = number ? number : parse_duration(text);
  if (!parsed || !(*parsed >= 0 && *parsed <= longest_seconds)) return false;
  seconds = *parsed;
  return true;
}

std::string spelled_order(const RunOptions& o) {
  if (!o.random_order) return "listed";
  return o.order_number == 0 ? "random" : fmt::format("random:{}", o.order_number);
}

std::string duration_word(double seconds) { return seconds == 0 ? "0" : fmt::format("{}s", seconds); }

}  // namespace breakeven::measure
