// SPDX-License-Identifier: Apache-2.0
// Does a run become steady, and from which step on? Warm-up steps come before all measured steps; this finds
// out whether there were enough of them.
#pragma once

#include <cstddef>
#include <span>

namespace breakeven::statistics {

// Levels less than this share apart are the same level.
inline constexpr double steady_tolerance = 0.01;
// A shorter series is judged by its quarters, one shorter than `fewest_for_quarters` not at all.
inline constexpr std::size_t fewest_for_change_points = 40;
inline constexpr std::size_t fewest_for_quarters = 8;

// From one end of a run to the other: more changes what the run says.
inline constexpr double largest_drift = 2 * steady_tolerance;

enum class SteadyVerdict { not_judged, steady, not_steady };

struct SteadyState {
  SteadyVerdict verdict = SteadyVerdict::not_judged;
  std::size_t first = 0;  // of the steady steps; the ones before are set aside. 0 unless steady
  bool mser_disagrees =
      false;  // its steps (mser5_truncation) take more than 1 % longer or shorter than these
};

// Of a run's step times, in order. Fewer than `fewest_for_change_points`: steady if the quarters agree within
// `largest_drift` (quarters_agree). Others: change points in mean and variance of their logarithms by PELT,
// with spikes of up to three steps taken out (without_spikes) and a penalty of 15 ln n a change point
// (Barrett, Bolz-Tereick, Killick, Mount and Tratt, "Virtual Machine Warmup Blows Hot and Cold", OOPSLA 2017,
// section 4), more where neighbours are alike: times (1 + tau) / 2, tau the sum of the autocorrelations. From
// the last segment backward, all are one steady part whose levels are the same: within 1 %, or within three
// standard errors of their difference. Not steady: that part is less than half of the steps, or it moves by
// over `largest_drift` from its beginning to its end (a straight line through ten batch means, its slope
// beyond t of 99.5
// %).
SteadyState find_steady_state(std::span<const double> step_seconds);

// Whether the means of the four quarters of the series differ by at most the share `tolerance` of the
// smallest, or by no more than noise: Student's t at 1 %, for the six differences of four means (Dunn,
// "Multiple Comparisons among Means", JASA 56, 1961). The deviation comes from successive differences, which
// a drift or a peak hardly changes (von Neumann, Kent, Bellinson and Hart, "The Mean Square Successive
// Difference", Annals of Mathematical Statistics 12, 1941), with 2 (n - 1) / 3 degrees of freedom, since its
// variance is 3/2 of the usual one's. Simulated with 20 values and a tolerance of 2 %, of series without
// drift fail: none at a deviation of 0.3 %; at most 0.5 % of any deviation where values are independent; 6 %
// where neighbours correlate by 0.3, and 37 % by 0.6, from a deviation of 2 % on. That is slow noise, which
// moves the mean of the whole series too. A straight drift shows in the quarters by three fourths. False for
// a value that is not a positive number, and for fewer values than `fewest_for_quarters`.
bool quarters_agree(std::span<const double> step_seconds, double tolerance);

// A second opinion on the end of the warm-up, without change points: MSER-5 (White, Cobb and Spratt, "A
// comparison of five steady-state truncation heuristics for simulation", WSC 2000): means of 5 values; of all
// truncations of at most the first half, the one that makes the standard error of the mean of all later ones
// smallest. In values, a multiple of 5.
std::size_t mser5_truncation(std::span<const double> values);

}  // namespace breakeven::statistics
