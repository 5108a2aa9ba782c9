// SPDX-License-Identifier: Apache-2.0
// The factors by which a step's terms make up measured times.
#pragma once

#include <span>

#include "src/predict/step_terms.h"

namespace breakeven {

using Factors = std::array<double, step_term_count>;

struct Observation {
  Case what;
  StepTerms terms{};
  double seconds = 0;
};

inline double seconds_by(const Factors& factors, const StepTerms& terms) {
  double sum = 0;
  for (std::size_t i = 0; i < step_term_count; ++i) sum += factors[i] * terms[i];
  return sum;
}

// How much each factor is drawn to what is known before: as much as by so many observations, each of which
// such a factor would have to explain alone.
inline constexpr double weight_of_prior = 0.02;

// The factors c >= 0 that make
//     sum over observations (x c / t - 1)^2  +  weight_of_prior * sum over terms (c / prior - 1)^2
// smallest: errors count as shares of the measured time, and a term that the observations say nothing about
// stays as it was known before (ridge regression towards a prior: Hoerl and Kennard, Technometrics 12, 1970;
// Swindel 1976). By coordinate descent, which converges since the function is convex (Tseng 2001). Priors are
// positive; without observations the prior itself is the answer.
Factors fit_factors(std::span<const Observation> observations, const Factors& prior);

}  // namespace breakeven
