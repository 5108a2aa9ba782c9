// SPDX-License-Identifier: Apache-2.0
// Does it pay? The verdict that an estimated speed-up allows, corrected for multiple comparisons, and how
// much more measuring would give one.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/statistics/paired_ratio.h"

namespace breakeven::statistics {

// Two speeds within this share of each other count as the same.
inline constexpr double practical_equivalence = 0.02;

enum class Payoff { not_measured, undecided, does_not_pay, same, pays };

struct VerdictInfo {
  Payoff verdict;
  std::string_view key;     // for programs
  std::string_view phrase;  // for people
  std::string_view speed;   // for people, of more GPUs at one place: "slower", "faster"
  std::string_view sign;    // where there is no room for the phrase
};
inline constexpr std::array verdicts{
    VerdictInfo{.verdict = Payoff::not_measured,
                .key = "not_measured",
                .phrase = "not measured",
                .speed = "not measured",
                .sign = ""},
    VerdictInfo{.verdict = Payoff::undecided,
                .key = "undecided",
                .phrase = "undecided",
                .speed = "undecided",
                .sign = "?"},
    VerdictInfo{.verdict = Payoff::does_not_pay,
                .key = "does_not_pay",
                .phrase = "does not pay",
                .speed = "slower",
                .sign = "-"},
    VerdictInfo{.verdict = Payoff::same, .key = "same", .phrase = "same", .speed = "same", .sign = "="},
    VerdictInfo{.verdict = Payoff::pays, .key = "pays", .phrase = "pays", .speed = "faster", .sign = "+"},
};
constexpr const VerdictInfo& info_of(Payoff verdict) { return verdicts[static_cast<std::size_t>(verdict)]; }

struct Decision {
  Payoff verdict = Payoff::not_measured;
  // Of undecided: how many more would decide with the probability `power` (sample_size.h); with fewer than
  // three, how many more an interval needs; 0 where no number would do.
  std::size_t more_units = 0;
  SamplingUnit unit = SamplingUnit::run;  // what more_units counts
  bool is_extrapolated = false;           // undecided because no held-out case tests such a prediction
  bool has_short_runs = false;            // undecided because runs ended before enough steps
};

// The whole 95 % interval above 1.02: pays. Below 0.98: does not pay. Within [0.98, 1.02]: the same. Else
// undecided. Anything NaN or infinite: not measured.
Payoff verdict_of(const Interval& speedup);

constexpr bool is_decided(Payoff verdict) {
  return verdict == Payoff::pays || verdict == Payoff::does_not_pay;
}

// The same, and how many more units would decide.
Decision decide(const RatioEstimate& speedup);

// For each of a family's probabilities of a result by chance alone, the level that it is compared with:
// `error` divided by the number of those that are not smaller, itself included (Holm, "A Simple Sequentially
// Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6, 1979). The first that fails its
// level makes all larger ones fail: `holds` has the outcome. A NaN is no member of the family: it is not
// counted and does not hold.
struct HolmLevel {
  double error = 0;
  bool holds = false;
};
std::vector<HolmLevel> holm_levels(std::span<const double> probabilities, double error);

// The verdicts of one table, together: all are right in 95 of 100 tables. A verdict needs what decide() needs
// and must also hold at the level that Holm's procedure gives it among those of the table that have an
// interval. Its probability is the smallest error at which Student's interval would still lie on one side.
std::vector<Decision> decide_together(std::span<const RatioEstimate> speedups);

std::string_view word_of(Payoff verdict);            // its key
std::string phrase_of(const Decision& decision);     // "undecided, 12 more launches": for tables
std::string_view more_of(const Decision& decision);  // "launches", "launch", "repeats", "repeat"

}  // namespace breakeven::statistics
