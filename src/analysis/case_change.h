// SPDX-License-Identifier: Apache-2.0
// The same case in two files: is the new one faster or slower, and does it pass the gate of `compare --gate`?
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "src/analysis/comparison.h"

namespace breakeven::analysis {

enum class Change { not_measured, unclear, same, faster, slower };

// Of the mean steps of a file's units. NaN where one of them was not measured.
struct UnitStep {
  double seconds = not_measured;        // geometric mean
  double log_deviation = not_measured;  // standard deviation of the logarithms; NaN of one unit
};

// With the same timing. `ratio` is of samples a second, new over old: below 1 the new one is slower. It is
// old_step.seconds / new_step.seconds.
struct CaseChange {
  Case what;
  const CaseSummary* before = nullptr;
  const CaseSummary* after = nullptr;
  statistics::SamplingUnit unit = statistics::SamplingUnit::none;
  UnitStep old_step;
  UnitStep new_step;
  statistics::DifferenceEstimate log_ratio;
  statistics::Interval ratio;  // n: of the file that has fewer units
  bool is_one_recording = false;
  Change change = Change::not_measured;
};

// Of every case that was measured in both files, by `total` where both have it, else by `phases`, in the
// order of `after`. One that both files planned is not measured where runs of only one finished, or numbers
// of one are wrong (number_fault.h). The units are launches, and runs only where each file
// has one launch: runs of one launch are alike, so those of several are never pooled. Units of two files are
// not paired, so the interval is Welch's, of the logarithms of their means. Runs whose means are all the same
// to the bit are one recording in two files, not two samples: their ratio is 1 without error, and
// `is_one_recording` says so.
//
// Faster or slower: the interval is beyond `tolerance`, and Holm's procedure among all cases confirms it, as
// for the verdicts of one table (payoff.h); else unclear. So at most one comparison of files in twenty has a
// wrong one. The same: the 95 % interval is within `tolerance`. That is two one-sided tests at 2.5 %
// (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987), so of cases that changed by the
// tolerance or more at most one in forty is called the same. It is not corrected: a gate, and "nothing
// changed", need it of every case (Berger, Technometrics 24, 1982).
std::vector<CaseChange> compare_files(const std::vector<MeasuredCase>& before,
                                      const std::vector<MeasuredCase>& after, double tolerance);

// The probability that chance alone puts the ratio as far from `border` as it is; NaN without an interval.
double chance_beyond(const CaseChange& change, double border);

std::string_view word_of(Change change);  // "SLOWER"

// Did a case become slower by the gate or more, is that ruled out, or do the measurements not tell?
enum class GateVerdict { holds, inconclusive, regression };  // a worse one is greater

struct GateCheck {
  GateVerdict verdict = GateVerdict::inconclusive;
  // Of CaseChange::unit, in each file: with so many, a change as large as the gate is told from none in 80 %
  // of comparisons (sample_size.h). Nothing where the spread is not known.
  std::optional<std::size_t> needed_units;
};

// One for each change. `gate` is a share: of 0.05, the border is a speed ratio of 0.95. Regression: the whole
// 95 % interval is below the border, and Holm's procedure among the cases confirms it (payoff.h). Holds: the
// whole interval is above it. Anything else is inconclusive, a ratio that is not a number too. "Holds" needs
// no correction for many cases, since the gate as a whole holds only where every case does (Berger,
// "Multiparameter Hypothesis Testing and Acceptance Sampling", Technometrics 24, 1982).
std::vector<GateCheck> check_gate(const std::vector<CaseChange>& changes, double gate);

// The worst of them; inconclusive if there are none.
GateVerdict worst_of(const std::vector<GateCheck>& checks);

std::string_view word_of(GateVerdict verdict);  // "holds"

}  // namespace breakeven::analysis
