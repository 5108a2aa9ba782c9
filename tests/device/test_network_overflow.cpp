// SPDX-License-Identifier: Apache-2.0
// Numbers that are too large, or none, in a small network's step: with loss scaling a step without an update,
// without it in sight.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/whole_step.h"

namespace breakeven {
namespace {

class NetworkOverflow : public DeviceTest {
 protected:
  static std::vector<double> downloaded(const DeviceMatrix& matrix) { return matrix.download().values; }
  static std::vector<float> downloaded(const DeviceArray<float>& array) { return array.download(); }
};

// fp16: a step whose gradients overflow changes no parameter and halves the scale, and the next ones go on.
TEST_F(NetworkOverflow, OverflowIsAStepWithoutAnUpdate) {
  SmallNetworkSettings settings = settings_of({64, 33, 20, 10}, 16, 0.3f, Precision::fp16);
  settings.loss_scale = 0x1p24f;
  WholeStepNetwork network(device(), stream(), settings, 0);
  WholeStepNetwork untouched(device(), stream(), settings, 0);
  if (!network.whole_step()) GTEST_SKIP() << "this device has no way of its own";
  EXPECT_EQ(network.state().loss_scale, 0x1p23f);
  EXPECT_EQ(network.state().beta1_power, 1.0);
  EXPECT_EQ(network.state().step, 1u);
  EXPECT_TRUE(std::isfinite(network.losses()[0]));
  const std::vector<double> gradient = downloaded(network.layer(2).w_gradient);
  EXPECT_FALSE(std::ranges::all_of(gradient, [](double value) { return std::isfinite(value); }));
  for (std::size_t i = 0; i < network.layer_count(); ++i) {
    EXPECT_EQ(downloaded(network.layer(i).w), downloaded(untouched.layer(i).w)) << "layer " << i;
    EXPECT_EQ(downloaded(network.layer(i).b), downloaded(untouched.layer(i).b)) << "layer " << i;
    EXPECT_EQ(downloaded(network.layer(i).w_working), downloaded(untouched.layer(i).w_working));
  }
  ASSERT_TRUE(network.whole_steps(14));
  EXPECT_LT(network.state().loss_scale, 0x1p23f);
  EXPECT_LT(network.state().beta1_power, 1.0) << "no step had finite gradients";
  EXPECT_NE(downloaded(network.layer(0).w), downloaded(untouched.layer(0).w));
}

// fp16: an activation that is too large to store makes a weight's gradient NaN, also where no unit of the
// next layer is active, so that the loss and all its gradients by activations are numbers.
TEST_F(NetworkOverflow, AnInfiniteActivationIsAStepWithoutAnUpdate) {
  const SmallNetworkSettings settings = settings_of({64, 33, 20, 10}, 16, 0.0f, Precision::fp16);
  const auto make_infinite = [](WholeStepNetwork& network) {
    const float beyond_fp16 = 1e6f, minus_one = -1;
    const std::uint16_t rounded_minus_one = 0xBC00;
    device().copy(network.layer(0).b.data(), &beyond_fp16, sizeof beyond_fp16, stream());
    // A device's own step may round the weights itself, so both forms are set.
    const Matrix next = network.layer(1).w.view(), working = network.layer(1).w_working.view();
    for (std::int64_t unit = 0; unit < next.rows; ++unit) {
      device().copy(next.floats() + unit * next.ld, &minus_one, sizeof minus_one, stream());
      device().copy(static_cast<std::uint16_t*>(working.data) + unit * working.ld, &rounded_minus_one,
                    sizeof rounded_minus_one, stream());
    }
    stream().synchronize();
  };
  for (const bool by_layers : {true, false}) {
    SCOPED_TRACE(by_layers ? "by layers" : "as a whole");
    WholeStepNetwork network(device(), stream(), settings, 0);
    make_infinite(network);
    const std::vector<double> before = downloaded(network.layer(1).w);
    if (by_layers)
      network.step_by_layers();
    else if (!network.whole_step())
      continue;  // this device has no way of its own
    EXPECT_TRUE(std::isfinite(network.losses()[0]));
    EXPECT_EQ(network.state().loss_scale, settings.loss_scale / 2);
    EXPECT_EQ(network.state().beta1_power, 1.0);
    EXPECT_EQ(downloaded(network.layer(1).w), before);
  }
}

TEST_F(NetworkOverflow, NanStaysVisible) {
  if (device().info().backend == "host") GTEST_SKIP() << "the host's step is made of products, as test_nan's";
  SmallNetworkSettings settings = settings_of({64, 33, 10}, 16, 0.0f, Precision::fp32);
  WholeStepNetwork network(device(), stream(), settings, 0);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  device().copy(network.layer(1).w.view().floats(), &nan, sizeof nan, stream());
  ASSERT_TRUE(network.whole_step());
  EXPECT_TRUE(std::isnan(network.losses()[0]));
  EXPECT_TRUE(std::isnan(network.layer(1).w.download().at(0, 0)));  // download() sees that the padding is 0
  EXPECT_TRUE(std::isnan(network.layer(0).w.download().at(0, 0)));
}

}  // namespace
}  // namespace breakeven
