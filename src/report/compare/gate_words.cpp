// SPDX-License-Identifier: Apache-2.0
#include "src/report/compare/gate_words.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "src/core/text/lists.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/group_words.h"
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

std::string plural_of(statistics::SamplingUnit unit) {
  return fmt::format("{}{}", word_of(unit), unit == statistics::SamplingUnit::launch ? "es" : "s");
}

std::string_view is_or_are(std::size_t count) { return count == 1 ? "is" : "are"; }

// A case with too few units, and how many would do.
struct Need {
  std::size_t units;
  const analysis::CaseChange* change;
};

// Of cases with intervals by this unit: "at least 7 launches in each file"; "4 to 11 launches in each file
// for 7 of them, 4,284 for medium batch 16 zero1 on 2, whose launches differ most". "" where there are none.
std::string needs_in_words(statistics::SamplingUnit unit, const std::vector<analysis::CaseChange>& changes,
                           const Gate& gate) {
  constexpr std::size_t far_more = 3;
  std::vector<Need> needs;
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (changes[i].unit == unit && reason_of(changes[i], gate.checks[i]) == Inconclusive::too_few)
      needs.push_back({*gate.checks[i].needed_units, &changes[i]});
  if (needs.empty()) return "";
  std::ranges::sort(needs, {}, &Need::units);
  const Need most = needs.back();
  const bool stands_out = needs.size() > 1 && most.units > far_more * needs.rbegin()[1].units;
  if (stands_out) needs.pop_back();
  const std::string least =
      needs.front().units < needs.back().units ? format_count(needs.front().units) + " to" : "at least";
  std::string text = fmt::format("{} {} in each file", least, units_in_words(needs.back().units, unit));
  if (stands_out)
    text += fmt::format(" for {} of them, {} for {}, whose {} differ most", needs.size(),
                        format_count(most.units), case_in_words(most.change->what), plural_of(unit));
  return text;
}

// Why so many cases are inconclusive, and what to measure.
std::string reasons_in_words(const std::vector<analysis::CaseChange>& changes, const Gate& gate,
                             const Counts& counts) {
  std::vector<std::string> needs;
  for (const auto unit : {statistics::SamplingUnit::launch, statistics::SamplingUnit::run})
    if (std::string words = needs_in_words(unit, changes, gate); !words.empty())
      needs.push_back(std::move(words));
  std::string text;
  if (counts.too_few > 0)
    text += fmt::format(" {} need{} more measurements to tell with {} probability: {}.", counts.too_few,
                        counts.too_few == 1 ? "s" : "", format_percent(statistics::power), join_list(needs));
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
  return fmt::format("{} {}", format_count(count), count == 1 ? std::string(word_of(unit)) : plural_of(unit));
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
