// SPDX-License-Identifier: Apache-2.0
#include "src/report/words/decision_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/report/format/numbers.h"
#include "src/statistics/sample_size.h"

namespace breakeven::report {

using statistics::Payoff;

std::string verb_of(const statistics::Decision& decision) {
  if (decision.verdict == Payoff::not_measured) return "has no interval";
  if (statistics::is_decided(decision.verdict)) return phrase_of(decision);  // a verb
  return (decision.verdict == Payoff::same ? "is the " : "is ") + phrase_of(decision);
}

std::string why_undecided(const statistics::Decision& decision, const statistics::Interval& speedup) {
  if (decision.is_extrapolated)
    return " This is an extrapolation and no verdict: no held-out case tests a prediction so far beyond what "
           "was measured. Measure this batch and model.";
  if (decision.has_short_runs) return " A run ended before enough of its planned steps for a verdict.";
  const Payoff alone = verdict_of(speedup);
  if (decision.verdict != Payoff::undecided || alone == Payoff::undecided || alone == Payoff::not_measured)
    return "";
  return fmt::format(
      " By itself, this interval says that it {}. Corrected for all comparisons of the model, it is "
      "undecided.",
      verb_of({.verdict = alone}));
}

namespace {

// Other programs make one run of a case in each launch.
std::string_view how_to_repeat(RecordedBy program) {
  switch (program) {
    case RecordedBy::wrap:
      return "repeat the command with more --launches and --resume";
    case RecordedBy::recorder:
      return "run the program again with the same output";
    case RecordedBy::run:
      break;
  }
  return "repeat the breakeven run command with --append";
}

}  // namespace

std::string how_to_decide(const std::vector<statistics::Decision>& decisions, RecordedBy recorded_by) {
  const auto lacks = [&](statistics::SamplingUnit unit) {
    return std::ranges::any_of(decisions, [&](const statistics::Decision& one) {
      return one.verdict == Payoff::undecided && one.more_units > 0 && one.unit == unit;
    });
  };
  const auto advice = [](std::string_view units, std::string_view how) {
    return fmt::format(
        "\"N more {}\" is the number that gives an interval, or a verdict with {} probability. To measure "
        "them, {}.",
        units, format_percent(statistics::power), how);
  };
  if (lacks(statistics::SamplingUnit::launch)) return advice("launches", how_to_repeat(recorded_by));
  if (lacks(statistics::SamplingUnit::run))
    return advice(
        "repeats",
        fmt::format("{}{}", recorded_by == RecordedBy::run ? "run with a larger --repeats, or " : "",
                    how_to_repeat(recorded_by)));
  return "";
}

}  // namespace breakeven::report
