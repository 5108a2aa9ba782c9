// SPDX-License-Identifier: Apache-2.0
// Does a run become steady, and from which step on? Warm-up steps come before all measured steps; this finds
// out whether there were enough of them.
#pragma once

#include <cstddef>
#include <span>

namespace breakeven::statistics {

// Levels less than this share apart are the same level.
inline constexpr double steady_tolerance = 0.01;
// A shorter series is not judged.
inline constexpr std::size_t fewest_for_steadiness = 40;

enum class SteadyVerdict { not_judged, steady, not_steady };

struct SteadyState {
  SteadyVerdict verdict = SteadyVerdict::not_judged;
  std::size_t first = 0;  // of the steady steps; the ones before are set aside. 0 unless steady
  bool mser_disagrees =
      false;  // its steps (mser5_truncation) take more than 1 % longer or shorter than these
};

// Of a run's step times, in order. Change points in mean and variance of their logarithms by PELT, with
// spikes of up to three steps taken out (without_spikes) and a penalty of 15 ln n a change point (Barrett,
// Bolz-Tereick, Killick, Mount and Tratt, "Virtual Machine Warmup Blows Hot and Cold", OOPSLA 2017, section
// 4), more where neighbours are alike: times (1 + tau) / 2, tau the sum of the autocorrelations. From the
// last segment backward, all are one steady part whose levels are the same: within 1 %, or within three
// standard errors of their difference. Not steady: that part is less than half of the steps, or it moves by
// over 2 % from its beginning to its end (a straight line through ten batch means, its slope beyond t of 99.5
// %).
SteadyState find_steady_state(std::span<const double> step_seconds);

// A second opinion on the end of the warm-up, without change points: MSER-5 (White, Cobb and Spratt, "A
// comparison of five steady-state truncation heuristics for simulation", WSC 2000): means of 5 values; of all
// truncations of at most the first half, the one that makes the standard error of the mean of all later ones
// smallest. In values, a multiple of 5.
std::size_t mser5_truncation(std::span<const double> values);

}  // namespace breakeven::statistics
