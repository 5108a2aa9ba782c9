// SPDX-License-Identifier: Apache-2.0
#include "src/measure/plan/option_values.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"

namespace breakeven::measure {
namespace {

constexpr std::uint32_t most_order_number = 1'000'000;

// A duration, or a number of seconds, from 0 on.
bool parse_seconds(const std::string& text, double& seconds) {
  const std::optional<double> number = parse_number<double>(text);
  const std::optional<double> parsed = number ? number : parse_duration(text);
  if (!parsed || !(*parsed >= 0 && *parsed <= longest_seconds)) return false;
  seconds = *parsed;
  return true;
}

// Splits "NCCL_NAME=VALUE". Returns what is wrong, or "".
std::string split_nccl(const std::vector<std::string>& words, RunOptions& options) {
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || !word.starts_with("NCCL_")) {
      return fmt::format("--nccl '{}' is not of the form NCCL_NAME=VALUE", word);
    }
    options.nccl.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return "";
}

// Parses --order. Returns what is wrong, or "".
std::string parse_order(const std::string& text, RunOptions& o) {
  constexpr std::string_view numbered = "random:";
  o.random_order = text != "listed";
  if (text.starts_with(numbered)) {
    const auto number = parse_count(std::string_view(text).substr(numbered.size()), most_order_number);
    if (number) return o.order_number = *number, "";
    return fmt::format("--order '{}' has no number from 1 to {} behind random:", text, most_order_number);
  }
  return problem_of_word("order", text, {"random", "listed"});
}

// Checks what the types of single values do not. Returns what is wrong, or "".
std::string check_values(const Spelled& s, RunOptions& o) {
  if (o.warmup < 2 || o.warmup > 1000000)
    return "--warmup must be from 2 to 1000000: the first step starts libraries up, the second captures the "
           "graph";
  if (o.steps < 1 || o.steps > 1000000) return "--steps must be from 1 to 1000000";
  if (!parse_seconds(s.settle, o.settle.most_seconds))
    return fmt::format("--settle '{}' is not a duration such as 5s or 500ms, or 0 for none{}", s.settle,
                       number_hint(s.settle));
  if (!parse_share(s.settle_tolerance, o.settle.tolerance))
    return fmt::format("--settle-tolerance '{}' is not a fraction between 0 and 1, such as 0.5% or 0.005{}",
                       s.settle_tolerance, number_hint(s.settle_tolerance));
  if (!parse_seconds(s.seconds, o.seconds))
    return fmt::format("--seconds '{}' is not a duration such as 0.5 or 500ms{}", s.seconds,
                       number_hint(s.seconds));
  if (o.repeats < 1 || o.repeats > 100000) return "--repeats must be from 1 to 100000";
  if (!s.target_ci.empty() && !parse_share(s.target_ci, o.target_ci))
    return fmt::format("--target-ci '{}' is not a fraction between 0 and 1, such as 1% or 0.01{}",
                       s.target_ci, number_hint(s.target_ci));
  if (o.append && o.resume) return "--append adds a launch and --resume finishes one. Pass only one of them";
  if (o.probe_steps < 1 || o.probe_steps > 10000) return "--probe-steps must be from 1 to 10000";
  if (o.samples < 1 || o.samples > (1u << 30)) return "--samples must be from 1 to 1073741824";
  if (!(o.learning_rate > 0) || !std::isfinite(o.learning_rate)) return "--learning-rate must be positive";
  if (!s.memory_limit.empty() && !parse_bytes(s.memory_limit, o.memory_limit_bytes))
    return fmt::format("--memory-limit '{}' is not a size such as 12GB or 80GiB{}", s.memory_limit,
                       number_hint(s.memory_limit));
  if (!(o.timeout_seconds > 0 && o.timeout_seconds <= longest_seconds))
    return fmt::format("--timeout must be a positive number of seconds, at most {}", longest_seconds);
  if (!(o.settle.most_seconds < o.timeout_seconds))
    return fmt::format("--settle {} must be shorter than --timeout {}", s.settle, o.timeout_seconds);
  std::string wrong = parse_order(s.order, o);
  if (wrong.empty()) wrong = problem_of_word("optimizer", s.optimizer, {"adam", "sgd"});
  return wrong.empty() ? problem_of_backend(o.backend) : wrong;
}

// Parses --until and its options. Returns what is wrong, or "".
std::string parse_until(const Spelled& s, RunOptions& o) {
  if (o.eval_every < 1) return "--eval-every must be at least 1";
  if (o.smooth < 1) return "--smooth must be at least 1";
  if (s.until.empty()) return "";
  const auto parsed = parse_quality_target(s.until);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return error->sentence;
  o.until = std::get<QualityTarget>(parsed);
  if (o.until->measure == QualityMeasure::accuracy && o.dataset.empty())
    return "--until accuracy needs a --dataset with test_features and test_targets";
  if (o.until->measure == QualityMeasure::loss && o.smooth > o.warmup + o.steps) {
    return fmt::format("--smooth must be from 1 to {}, the steps of a run with its warm-up",
                       o.warmup + o.steps);
  }
  return "";
}

}  // namespace

std::string spelled_order(const RunOptions& o) {
  if (!o.random_order) return "listed";
  return o.order_number == 0 ? "random" : fmt::format("random:{}", o.order_number);
}

std::string duration_word(double seconds) { return seconds == 0 ? "0" : fmt::format("{}s", seconds); }

std::string read_values(const Spelled& spelled, RunOptions& options) {
  std::string wrong = check_values(spelled, options);
  if (wrong.empty()) wrong = parse_until(spelled, options);
  return wrong.empty() ? split_nccl(spelled.nccl, options) : wrong;
}

}  // namespace breakeven::measure
