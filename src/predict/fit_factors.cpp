// SPDX-License-Identifier: Apache-2.0
#include "src/predict/fit_factors.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

namespace breakeven::predict {
namespace {

constexpr double weight_of_prior = 0.02;  // in observations that only this factor explains

// Solves H u = g for the used terms; the others are 0. By elimination, which needs no pivots, as H is
// positive definite (Golub and Van Loan, Matrix Computations, section 4.2).
Factors solution(std::array<Factors, step_term_count> h, Factors g, const std::vector<std::size_t>& used) {
  for (auto i = used.begin(); i != used.end(); ++i)
    for (auto k = std::next(i); k != used.end(); ++k) {
      const double share = h[*k][*i] / h[*i][*i];
      for (const std::size_t j : used) h[*k][j] -= share * h[*i][j];
      g[*k] -= share * g[*i];
    }
  Factors u{};
  for (auto i = used.rbegin(); i != used.rend(); ++i) {
    for (auto k = used.rbegin(); k != i; ++k) g[*i] -= h[*i][*k] * u[*k];
    u[*i] = g[*i] / h[*i][*i];
  }
  return u;
}

// The u >= 0 that makes u'Hu / 2 - g'u smallest: one term after another is used, the steepest first, and one
// that would fall below 0 is given up.
Factors smallest_where_positive(const std::array<Factors, step_term_count>& h, const Factors& g) {
  constexpr std::size_t most_rounds = 3 * step_term_count;  // rounding could take and give up a term in turns
  constexpr double rounding = 1e-12;
  Factors u{};
  std::vector<std::size_t> used;
  for (std::size_t round = 0; round < most_rounds; ++round) {
    std::size_t steepest = 0;
    double slope = 0;  // of g - H u where no term is used
    for (std::size_t i = 0; i < step_term_count; ++i) {
      if (std::ranges::find(used, i) != used.end()) continue;
      const double missing = g[i] - std::inner_product(h[i].begin(), h[i].end(), u.begin(), 0.0);
      if (!(missing > std::max(slope, rounding * g[i]))) continue;
      slope = missing;
      steepest = i;
    }
    if (slope == 0) break;
    used.push_back(steepest);
    for (double way = 0; way < 1;) {  // towards the solution, until a term is 0
      const Factors next = solution(h, g, used);
      way = 1;
      for (const std::size_t i : used)
        if (next[i] < 0) way = std::min(way, u[i] / (u[i] - next[i]));
      for (const std::size_t i : used) u[i] += way * (next[i] - u[i]);
      std::erase_if(used, [&](std::size_t i) {
        const bool is_given_up = next[i] < 0 && u[i] <= rounding;
        if (is_given_up) u[i] = 0;
        return is_given_up;
      });
    }
  }
  return u;
}

}  // namespace

Factors fit_factors(std::span<const Observation> observations, const Factors& prior, const IsOut& is_out) {
  // In units of the prior: the normal equations H u = g.
  std::array<Factors, step_term_count> h{};
  Factors g;
  g.fill(weight_of_prior);
  for (std::size_t i = 0; i < step_term_count; ++i) h[i][i] = weight_of_prior;
  for (const Observation& one : observations) {
    if (is_out(one.what)) continue;
    StepTerms x;
    for (std::size_t i = 0; i < step_term_count; ++i) x[i] = one.terms[i] * prior[i] / one.seconds;
    for (std::size_t i = 0; i < step_term_count; ++i) {
      g[i] += x[i];
      for (std::size_t j = 0; j < step_term_count; ++j) h[i][j] += x[i] * x[j];
    }
  }
  Factors factors = smallest_where_positive(h, g);
  for (std::size_t i = 0; i < step_term_count; ++i) factors[i] *= prior[i];
  return factors;
}

}  // namespace breakeven::predict
