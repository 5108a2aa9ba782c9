// SPDX-License-Identifier: Apache-2.0
// The squared norm of a flat buffer: in double, repeatable, in the step's slot.
#include <cmath>
#include <limits>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

class SumOfSquares : public DeviceTest {
 protected:
  static std::vector<double> sums_of(const std::vector<double>& values, std::uint32_t step) {
    const DeviceArray<float> array(device(), stream(), to_float(values));
    const DeviceArray<double> sums(device(), stream(), std::vector<double>(3, -1.0));
    const DeviceArray<StepState> state = state_at(device(), stream(), step);
    device().sum_of_squares(values.size(), array.data(), state.data(), sums.span(), stream());
    return sums.download();
  }
};

TEST_F(SumOfSquares, AgreesWithDouble) {
  for (const std::size_t count : {1u, 31u, 33u, 127u, 129u, 799u, 258433u}) {
    SCOPED_TRACE(count);
    const std::vector<double> values = random_values(count, 1);
    double expected = 0;
    for (const double value : values) expected += value * value;
    EXPECT_TRUE(near(sums_of(values, 0)[0], expected, 1e-12 * expected));
  }
}

TEST_F(SumOfSquares, IsInDouble) {
  std::vector<double> values(4097, std::ldexp(1.0, -13));  // 2^-26 each: lost beside 1 in float
  values[0] = 1;
  EXPECT_EQ(sums_of(values, 0)[0], 1 + 4096 * std::ldexp(1.0, -26));
}

TEST_F(SumOfSquares, RepeatsBitForBit) {
  const std::vector<double> values = random_values(258433, 2);
  EXPECT_EQ(sums_of(values, 0), sums_of(values, 0));
}

TEST_F(SumOfSquares, GoesIntoTheSlotOfTheStep) {
  EXPECT_EQ(sums_of({3, 4}, 7), (std::vector<double>{-1, 25, -1}));
  EXPECT_EQ(sums_of({3, 4}, 0), (std::vector<double>{25, -1, -1}));
}

// Without loss scaling nothing is told of overflow.
TEST_F(SumOfSquares, PartsAddUpAndTellOfOverflow) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const double stray : {0.25, inf, std::nan("")}) {
    for (const std::uint32_t growth_interval : {0u, 7u}) {
      StepState start;
      start.growth_interval = growth_interval;
      const DeviceArray<StepState> state(device(), stream(), {start});
      const DeviceArray<double> parts(device(), stream(), {1e300, stray, -1e300, 3});
      const DeviceArray<double> sum(device(), stream(), {-1.0});
      device().total_of_squares(parts.span(), sum.data(), state.data(), stream());
      const bool finite = std::isfinite(stray);
      EXPECT_EQ(state.download()[0].overflow, !finite && growth_interval > 0 ? 1u : 0u);
      if (finite) {
        EXPECT_EQ(sum.download()[0], 3) << "added in another order it is 3.25";
      } else {
        EXPECT_FALSE(std::isfinite(sum.download()[0]));
      }
    }
  }
}

}  // namespace
}  // namespace breakeven
