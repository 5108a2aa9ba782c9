// SPDX-License-Identifier: Apache-2.0
// Interpolation between known places: its errors are as large as their scale says, and what counts as tested.
#include "src/predict/interpolate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/predict/held_out_errors.h"
#include "tests/support/simulation.h"

namespace breakeven::predict {
namespace {

const KnownAt line{{0, 1}, {1, 3}, {3, 7}};

TEST(Interpolate, IsAStraightLineBetweenAndFlatBeyond) {
  EXPECT_EQ(interpolate(2, line), 5);
  EXPECT_EQ(interpolate(3, line), 7);
  EXPECT_EQ(interpolate(-1, line), 1);
  EXPECT_EQ(interpolate(9, line), 7);
}

TEST(Interpolate, ErrorsGrowWithTheDistanceFromWhatIsKnown) {
  EXPECT_EQ(error_scale(1, line), 0);
  EXPECT_DOUBLE_EQ(error_scale(0.5, line), std::sqrt(0.25));
  EXPECT_DOUBLE_EQ(error_scale(2, line), std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(error_scale(7, line), 2) << "beyond";
  EXPECT_LT(error_scale(1.1, line), error_scale(2, line));
}

// A random walk on a grid that is finer than the known places: held-out places give the half width between
// them.
TEST(Interpolate, HeldOutPlacesGiveTheIntervalsBetweenThem) {
  constexpr std::uint32_t cells = 8, walks = 400;
  HeldOut errors;
  std::vector<std::pair<double, double>> between;  // error, scale
  for (std::uint32_t walk = 0; walk < walks; ++walk) {
    KnownAt all, known;
    double at = 0;
    for (std::uint32_t cell = 0; cell <= 6 * cells; ++cell) {
      at += 0.1 * normal(walk, 1, cell);
      all[cell] = at;
      if (cell % cells == 0) known[cell] = at;
    }
    for (const double place : {2.0 * cells, 3.0 * cells}) {
      KnownAt rest = known;
      rest.erase(place);
      errors.add(known[place] - interpolate(place, rest), error_scale(place, rest));
    }
    for (const double place : {1.0 * cells + 1, 4.0 * cells + 4})
      between.emplace_back(all[place] - interpolate(place, known), error_scale(place, known));
  }
  double inside = 0;
  for (const auto& [error, scale] : between) inside += std::abs(error) <= errors.half_width_at(scale) ? 1 : 0;
  EXPECT_NEAR(inside / static_cast<double>(between.size()), 0.95, 0.03);
  double by_held_out = 0;
  for (const auto& [error, scale] : between) by_held_out += std::abs(error) <= errors.half_width() ? 1 : 0;
  EXPECT_GT(by_held_out / static_cast<double>(between.size()), 0.98) << "too wide between known places";
}

TEST(Interpolate, IsTestedAsFarBeyondAsTheLastPlaceWasPredicted) {
  EXPECT_TRUE(is_tested_at(5, line));
  EXPECT_FALSE(is_tested_at(5.1, line));
  EXPECT_TRUE(is_tested_at(-1, line));
  EXPECT_FALSE(is_tested_at(-1.1, line));
  EXPECT_TRUE(is_tested_at(2, {{2, 1}}));
  EXPECT_FALSE(is_tested_at(2.1, {{2, 1}})) << "one place predicts no other";
}

}  // namespace
}  // namespace breakeven::predict
