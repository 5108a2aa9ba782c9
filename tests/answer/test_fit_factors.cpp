// SPDX-License-Identifier: Apache-2.0
// Factors of a step's terms from times that are made of known ones.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "src/predict/fit_factors.h"

namespace breakeven {
namespace {

predict::Factors all(double value) {
  predict::Factors factors;
  factors.fill(value);
  return factors;
}

// Terms that do not go together: from a microsecond to a hundred, each by itself.
std::vector<predict::Observation> made_of(const predict::Factors& truth) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-6, -4);
  std::vector<predict::Observation> observations(300);
  for (predict::Observation& one : observations) {
    for (double& term : one.terms) term = std::pow(10, exponent(random));
    one.seconds = predict::seconds_by(truth, one.terms);
  }
  return observations;
}

TEST(FitFactors, FindsWhatTheTimesAreMadeOf) {
  const predict::Factors truth{3, 8, 0.7, 2, 0.9, 1.3, 1.1};
  const predict::Factors found = predict::fit_factors(made_of(truth), all(1));
  for (std::size_t term = 0; term < predict::step_term_count; ++term)
    EXPECT_NEAR(found[term], truth[term], 0.05 * truth[term]) << predict::step_terms[term].name;
}

TEST(FitFactors, KeepsWhatWasKnownWhereNothingIsSaid) {
  const predict::Factors prior{1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(predict::fit_factors({}, prior), prior);
  std::vector<predict::Observation> silent = made_of(all(2));
  for (predict::Observation& one : silent) {
    one.seconds -= 2 * one.terms[index_of(predict::StepTerm::latency)];
    one.terms[index_of(predict::StepTerm::latency)] = 0;
  }
  EXPECT_NEAR(predict::fit_factors(silent, prior)[index_of(predict::StepTerm::latency)], 6, 1e-9);
}

// A time that falls where a term grows is no reason for a term that takes less than no time.
TEST(FitFactors, NoFactorIsNegative) {
  predict::Factors truth = all(2);
  truth[index_of(predict::StepTerm::activations)] = -0.01;
  for (const double factor : predict::fit_factors(made_of(truth), all(1))) EXPECT_GE(factor, 0);
}

// What is smallest falls nowhere: not for a factor above 0 either way, nor for one at 0 upwards.
TEST(FitFactors, IsTheSmallest) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> times(1, 2);
  int zeros = 0;
  for (int trial = 0; trial < 50; ++trial) {
    predict::Factors truth, prior;
    for (double& factor : truth) factor = times(random);
    for (double& factor : prior) factor = std::exp(times(random));
    const std::vector<predict::Observation> observations = made_of(truth);
    const predict::Factors found = predict::fit_factors(observations, prior);
    for (std::size_t term = 0; term < predict::step_term_count; ++term) {
      double slope = 0.02 * (found[term] / prior[term] - 1),
             size = 0.02;  // half of it, in units of the prior
      for (const predict::Observation& one : observations) {
        const double x = one.terms[term] * prior[term] / one.seconds;
        slope += x * (predict::seconds_by(found, one.terms) / one.seconds - 1);
        size += std::abs(x);
      }
      zeros += found[term] == 0;
      EXPECT_GE(slope, -1e-9 * size) << trial << ", " << predict::step_terms[term].name;
      EXPECT_TRUE(found[term] == 0 || slope <= 1e-9 * size)
          << trial << ", " << predict::step_terms[term].name;
    }
  }
  EXPECT_GT(zeros, 20);
}

}  // namespace
}  // namespace breakeven
