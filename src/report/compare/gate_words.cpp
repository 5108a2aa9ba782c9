// SPDX-License-Identifier: Apache-2.0
#include "src/report/compare/gate_words.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/core/text/lists.h"
#include "src/report/format/numbers.h"
#include "src/statistics/sample_size.h"

namespace breakeven::report {
namespace {

enum class Inconclusive { no, not_measured, no_interval, too_few, near_gate };

// Why a case is inconclusive.
Inconclusive reason_of(const analysis::CaseChange& change, const analysis::GateCheck& check) {
  if (check.verdict != analysis::GateVerdict::inconclusive) return Inconclusive::no;
  if (!std::isfinite(change.ratio.centre)) return Inconclusive::not_measured;
  if (!check.needed_units) return Inconclusive::no_interval;
  return change.ratio.n >= *check.needed_units ? Inconclusive::near_gate : Inconclusive::too_few;
}

struct Counts {
  std::size_t regressions = 0, not_measured = 0, no_interval = 0, too_few = 0, near_gate = 0;
  std::size_t inconclusive() const { return not_measured + no_interval + too_few + near_gate; }
};

Counts count(const std::vector<analysis::CaseChange>& changes, const Gate& gate) {
  Counts counts;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Inconclusive reason = reason_of(changes[i], gate.checks[i]);
    counts.regressions += gate.checks[i].verdict == analysis::GateVerdict::regression ? 1 : 0;
    counts.not_measured += reason == Inconclusive::not_measured ? 1 : 0;
    counts.no_interval += reason == Inconclusive::no_interval ? 1 : 0;
    counts.too_few += reason == Inconclusive::too_few ? 1 : 0;
    counts.near_gate += reason == Inconclusive::near_gate ? 1 : 0;
  }
  return counts;
}

std::string_view is_or_are(std::size_t count) { return count == 1 ? "is" : "are"; }

// Why so many cases are inconclusive, and what to measure.
std::string reasons_in_words(const std::vector<analysis::CaseChange>& changes, const Gate& gate,
                             const Counts& counts) {
  std::vector<std::string> needs;
  for (const auto unit : {statistics::SamplingUnit::launch, statistics::SamplingUnit::run}) {
    if (const auto needed = needed_units(unit, changes, gate)) needs.push_back(units_in_words(*needed, unit));
  }
  std::string text;
  if (counts.too_few > 0)
    text += fmt::format(
        " {} need{} more measurements: at least {} in each file, to tell with {} probability.",
        counts.too_few, counts.too_few == 1 ? "s" : "", join_list(needs), format_percent(statistics::power));
  if (counts.no_interval > 0)
    text +=
        fmt::format(" {} {} no interval, which takes {} runs or launches in each file.", counts.no_interval,
                    counts.no_interval == 1 ? "has" : "have", statistics::fewest_for_interval);
  if (counts.near_gate > 0)
    text +=
        fmt::format(" {} {} too close to the gate to tell.", counts.near_gate, is_or_are(counts.near_gate));
  if (counts.not_measured > 0)
    text += fmt::format(" {} {} not measured.", counts.not_measured, is_or_are(counts.not_measured));
  return text;
}

}  // namespace

std::string units_in_words(std::size_t count, statistics::SamplingUnit unit) {
  const std::string_view plural = unit == statistics::SamplingUnit::launch ? "es" : "s";
  return fmt::format("{} {}{}", format_count(count), word_of(unit), count == 1 ? "" : plural);
}

std::optional<std::size_t> needed_units(statistics::SamplingUnit unit,
                                        const std::vector<analysis::CaseChange>& changes, const Gate& gate) {
  std::optional<std::size_t> most;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const analysis::GateCheck& check = gate.checks[i];
    const Inconclusive reason = reason_of(changes[i], check);
    if (changes[i].unit != unit || (reason != Inconclusive::no_interval && reason != Inconclusive::too_few))
      continue;
    most = std::max(most.value_or(statistics::fewest_for_interval), check.needed_units.value_or(0));
  }
  return most;
}

std::string gate_in_words(const analysis::CaseChange& change, const analysis::GateCheck& check) {
  const std::string verdict(word_of(check.verdict));
  switch (reason_of(change, check)) {
    case Inconclusive::near_gate:
      return verdict + ", near the gate";
    case Inconclusive::no_interval:
      return fmt::format("{}, no interval: needs {}", verdict,
                         units_in_words(statistics::fewest_for_interval, change.unit));
    case Inconclusive::too_few:
      return fmt::format("{}, needs {}", verdict, units_in_words(*check.needed_units, change.unit));
    case Inconclusive::not_measured:
    case Inconclusive::no:
      break;
  }
  return check.verdict == analysis::GateVerdict::regression ? "REGRESSION" : verdict;
}

std::string gate_in_words(const std::vector<analysis::CaseChange>& changes, const Gate& gate) {
  const std::string share = format_percent(gate.share);
  const Counts counts = count(changes, gate);
  const auto cases = [&](std::size_t count) {
    return fmt::format("{} of {} cases {} slower by {} or more", count, changes.size(), is_or_are(count),
                       share);
  };
  const std::string unknown = fmt::format("the runs do not tell whether {}.{}", cases(counts.inconclusive()),
                                          reasons_in_words(changes, gate, counts));
  switch (worst_of(gate.checks)) {
    case analysis::GateVerdict::holds:
      break;
    case analysis::GateVerdict::inconclusive:
      return fmt::format("The gate of {} is inconclusive: {}", share, unknown);
    case analysis::GateVerdict::regression:
      return fmt::format("The gate of {} fails: {}.{}", share, cases(counts.regressions),
                         counts.inconclusive() > 0 ? " In addition, " + unknown : "");
  }
  return fmt::format("The gate of {} holds: no case is slower by {} or more (95 % confidence).", share,
                     share);
}

}  // namespace breakeven::report
