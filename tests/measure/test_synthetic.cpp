// SPDX-License-Identifier: Apache-2.0
// The synthetic data set has the moments that it promises, and a linear model can learn it.
#include "kernels/synthetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/near.h"

namespace breakeven {
namespace {

struct Moments {
  double mean;
  double variance;
};

Moments moments_of(const std::vector<double>& values) {
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  const double mean = sum / static_cast<double>(values.size());
  return {mean, squares / static_cast<double>(values.size()) - mean * mean};
}

TEST(Synthetic, FeaturesHaveMeanZeroAndVarianceOne) {
  std::vector<double> values;
  for (std::uint32_t sample = 0; sample < 1000; ++sample) {
    for (std::uint32_t unit = 0; unit < 100; ++unit) values.push_back(synthetic_feature(3, sample, unit));
  }
  const Moments moments = moments_of(values);
  const double deviation = 1 / std::sqrt(static_cast<double>(values.size()));
  EXPECT_TRUE(near(moments.mean, 0, 5 * deviation));
  EXPECT_TRUE(near(moments.variance, 1, 5 * std::sqrt(2.0) * deviation));
}

TEST(Synthetic, FeaturesAreBounded) {
  // Eight uniforms of half width 65535 / 2 times the scale: no feature is beyond sqrt(24).
  for (std::uint32_t sample = 0; sample < 1000; ++sample) {
    EXPECT_TRUE(near(synthetic_feature(4, sample, 0), 0, std::sqrt(24.0)));
  }
}

TEST(Synthetic, TargetsHaveMeanZeroAndVarianceOne) {
  std::vector<double> values;
  for (std::uint32_t sample = 0; sample < 500; ++sample) {
    for (std::uint32_t out = 0; out < 64; ++out) values.push_back(synthetic_target(3, sample, out, 799));
  }
  const Moments moments = moments_of(values);
  EXPECT_TRUE(near(moments.mean, 0, 0.05));
  EXPECT_TRUE(near(moments.variance, 1, 0.1));  // terms that share a feature are not independent
}

TEST(Synthetic, TeacherPicksFeaturesThatAreThereWithBothSigns) {
  int positive = 0;
  for (std::uint32_t out = 0; out < 256; ++out) {
    for (std::uint32_t term = 0; term < teacher_terms; ++term) {
      const TeacherTerm t = teacher_term(3, out, term, 50);
      EXPECT_LT(t.unit, 50u);
      EXPECT_TRUE(near(std::abs(t.sign), 0.5, 0));
      positive += t.sign > 0 ? 1 : 0;
    }
  }
  EXPECT_TRUE(near(positive, 512, 5 * 16));  // five deviations of 1024 fair coins
}

// Full-batch gradient descent on the mean squared error of a linear model of one output.
double descend(std::uint32_t inputs, std::uint32_t samples, int steps) {
  std::vector<double> weights(inputs, 0.0);
  double loss = 0;
  for (int step = 0; step <= steps; ++step) {
    std::vector<double> gradient(inputs, 0.0);
    loss = 0;
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
      double difference = -synthetic_target(3, sample, 0, inputs);
      for (std::uint32_t i = 0; i < inputs; ++i) difference += weights[i] * synthetic_feature(3, sample, i);
      loss += difference * difference / samples;
      for (std::uint32_t i = 0; i < inputs; ++i) {
        gradient[i] += 2 * difference * synthetic_feature(3, sample, i) / samples;
      }
    }
    for (std::uint32_t i = 0; i < inputs; ++i) weights[i] -= 0.3 * gradient[i];
  }
  return loss;
}

TEST(Synthetic, ALinearModelLearnsTheTargets) {
  const double before = descend(16, 512, 0);
  EXPECT_TRUE(near(before, 1, 0.7));
  EXPECT_LE(descend(16, 512, 60), 1e-6 * before);
}

}  // namespace
}  // namespace breakeven
