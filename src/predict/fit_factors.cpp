// SPDX-License-Identifier: Apache-2.0
#include "src/predict/fit_factors.h"

#include <algorithm>
#include <cmath>

namespace breakeven {

Factors fit_factors(std::span<const Observation> observations, const Factors& prior) {
  // In units of the prior: the normal equations (H + w) u = g + w.
  std::array<std::array<double, step_term_count>, step_term_count> h{};
  std::array<double, step_term_count> g{};
  for (const Observation& one : observations) {
    for (std::size_t i = 0; i < step_term_count; ++i) {
      const double x = one.terms[i] * prior[i] / one.seconds;
      g[i] += x;
      for (std::size_t j = 0; j < step_term_count; ++j) h[i][j] += x * one.terms[j] * prior[j] / one.seconds;
    }
  }
  std::array<double, step_term_count> u{};
  u.fill(1);
  constexpr int most_rounds = 20000;
  constexpr double small_change = 1e-10;
  double change = 1;
  for (int round = 0; round < most_rounds && change > small_change; ++round) {
    change = 0;
    for (std::size_t i = 0; i < step_term_count; ++i) {
      double others = 0;
      for (std::size_t j = 0; j < step_term_count; ++j) others += j == i ? 0 : h[i][j] * u[j];
      const double next = std::max(0.0, (g[i] + weight_of_prior - others) / (h[i][i] + weight_of_prior));
      change = std::max(change, std::abs(next - u[i]));
      u[i] = next;
    }
  }
  Factors factors;
  for (std::size_t i = 0; i < step_term_count; ++i) factors[i] = u[i] * prior[i];
  return factors;
}

}  // namespace breakeven
