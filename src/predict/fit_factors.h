// SPDX-License-Identifier: Apache-2.0
// What each term of a step (step_terms.h) is multiplied by, learnt from measured steps.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "src/predict/observations.h"
#include "src/predict/step_terms.h"

namespace breakeven::predict {

using Factors = std::array<double, step_term_count>;

inline double seconds_by(const Factors& factors, const StepTerms& terms) {
  double sum = 0;
  for (std::size_t i = 0; i < step_term_count; ++i) sum += factors[i] * terms[i];
  return sum;
}

// The factors c >= 0 that make
//     sum over observations (x c / t - 1)^2  +  0.02 * sum over terms (c / prior - 1)^2
// smallest: errors count as shares of the measured time, and a term that the observations do not determine
// keeps its prior (ridge regression towards a prior: Hoerl and Kennard, Technometrics 12, 1970;
// Swindel 1976). By an active set, which ends at the only solution after a few steps (Lawson and Hanson,
// Solving Least Squares Problems, 1974, section 23.3). Priors are positive; without observations the prior
// itself is the answer. Cases that are out do not count.
Factors fit_factors(std::span<const Observation> observations, const Factors& prior,
                    const IsOut& is_out = none_out);

}  // namespace breakeven::predict
