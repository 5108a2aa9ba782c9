// SPDX-License-Identifier: Apache-2.0
// A small network's step handed to the device as a whole: the same as layer by layer, where the device has a
// way of its own, and nothing at all where it has none.
#include <algorithm>
#include <tuple>

#include "tests/support/near.h"
#include "tests/support/whole_step.h"

namespace breakeven {
namespace {

constexpr Precision offered_precisions[] = {Precision::fp32, Precision::tf32, Precision::bf16,
                                            Precision::fp16};

// Both ways round their operands alike; sums in another order may move a value across a border of the
// precision, or a unit across the kink of ReLU.
double tolerance_of(Precision precision) {
  return precision == Precision::fp32 ? 1e-5 : 8 * info_of(precision).operand_roundoff;
}

std::vector<double> downloaded(const DeviceMatrix& matrix) { return matrix.download().values; }
std::vector<float> downloaded(const DeviceArray<float>& array) { return array.download(); }

class NetworkStepTest : public DeviceTest {
 protected:
  template <typename Array>
  static void expect_near(const Array& actual, const Array& expected, double tolerance, const char* what) {
    const auto values = downloaded(expected);
    if (std::all_of(values.begin(), values.end(), [](auto value) { return value == 0; })) {
      EXPECT_EQ(downloaded(actual), values) << what;  // no unit of a layer was active
    } else {
      EXPECT_TRUE(near(frobenius_error(downloaded(actual), values), 0, tolerance)) << what;
    }
  }

  static void expect_gradients_near(WholeStepNetwork& actual, WholeStepNetwork& expected, double tolerance) {
    for (std::size_t i = 0; i < expected.layer_count(); ++i) {
      SCOPED_TRACE(testing::Message() << "layer " << i);
      expect_near(actual.layer(i).w_gradient, expected.layer(i).w_gradient, tolerance, "dW");
      expect_near(actual.layer(i).b_gradient, expected.layer(i).b_gradient, tolerance, "db");
    }
  }
  // The moments in fp32 alone: otherwise the rounding of an activation may turn a unit over at the kink of
  // ReLU, and its gradients with it, of which a batch of few rows has few others.
  static void expect_parameters_near(WholeStepNetwork& actual, WholeStepNetwork& expected, double tolerance,
                                     bool with_moments) {
    for (std::size_t i = 0; i < expected.layer_count(); ++i) {
      SCOPED_TRACE(testing::Message() << "layer " << i);
      expect_near(actual.layer(i).w, expected.layer(i).w, tolerance, "W");
      expect_near(actual.layer(i).b, expected.layer(i).b, tolerance, "b");
      if (!with_moments) continue;
      expect_near(actual.layer(i).w_first_moment, expected.layer(i).w_first_moment, tolerance, "m of W");
      expect_near(actual.layer(i).w_second_moment, expected.layer(i).w_second_moment, tolerance, "v of W");
      expect_near(actual.layer(i).b_second_moment, expected.layer(i).b_second_moment, tolerance, "v of b");
    }
  }
  // What products read is the weights, rounded.
  static void expect_working_weights(WholeStepNetwork& network, Precision precision) {
    if (info_of(precision).dtype == Dtype::fp32) return;
    for (std::size_t i = 0; i < network.layer_count(); ++i) {
      expect_near(network.layer(i).w_working, network.layer(i).w, info_of(precision).operand_roundoff,
                  "working weights");
    }
  }
  static void expect_same_bits(WholeStepNetwork& actual, WholeStepNetwork& expected) {
    EXPECT_EQ(actual.losses(), expected.losses());
    for (std::size_t i = 0; i < expected.layer_count(); ++i) {
      EXPECT_EQ(downloaded(actual.layer(i).w), downloaded(expected.layer(i).w)) << "layer " << i;
      EXPECT_EQ(downloaded(actual.layer(i).b), downloaded(expected.layer(i).b)) << "layer " << i;
    }
  }

  // Where the device has no way for this network, that it says so and does nothing.
  static bool takes(const SmallNetworkSettings& settings) {
    WholeStepNetwork network(device(), stream(), settings, 5);
    const bool taken = network.whole_step();
    EXPECT_EQ(network.state().step, taken ? 6u : 5u);
    return taken;
  }

  // One step's gradients and loss, then the parameters after three.
  static void expect_steps_of_layers(const SmallNetworkSettings& settings) {
    constexpr std::uint32_t first = 7;
    constexpr std::size_t steps = 3;
    const double tolerance = tolerance_of(settings.precision);
    WholeStepNetwork whole(device(), stream(), settings, first);
    WholeStepNetwork layers(device(), stream(), settings, first);
    for (std::size_t step = 0; step < steps; ++step) {
      ASSERT_TRUE(whole.whole_step());
      layers.step_by_layers();
      if (step == 0) expect_gradients_near(whole, layers, tolerance);
    }
    expect_parameters_near(whole, layers, tolerance, settings.precision == Precision::fp32);
    expect_working_weights(whole, settings.precision);
    EXPECT_EQ(whole.state().step, layers.state().step);
    EXPECT_EQ(whole.state().beta1_power, layers.state().beta1_power);
    EXPECT_EQ(whole.state().beta2_power, layers.state().beta2_power);
    const std::vector<float> actual = whole.losses();
    const std::vector<float> expected = layers.losses();
    EXPECT_TRUE(near(actual, expected, scaled_sizes(expected, tolerance)));
    EXPECT_EQ(std::count(actual.begin(), actual.end(), -1.0f), SmallNetwork::loss_slots - steps);
    EXPECT_TRUE(near(actual[first], reference_loss(settings, random_layers(settings), first),
                     (settings.precision == Precision::fp32 ? 1e-5 : 2 * tolerance) * expected[first]));
  }
};

class NetworkStepIn : public NetworkStepTest,
                      public testing::WithParamInterface<std::tuple<Precision, Widths>> {};

TEST_P(NetworkStepIn, EqualsTheStepByLayers) {
  const auto& [precision, widths] = GetParam();
  for (const std::int64_t rows : {1, 3, 5, 16, 17, 128, 129}) {
    if (widths[0] != 799 && rows == 128) continue;  // the reference takes its time
    if (under_sanitizer() && rows != 5 && rows != 129) continue;
    SCOPED_TRACE(testing::Message() << rows << " rows");
    const SmallNetworkSettings settings = settings_of(widths, rows, rows == 3 ? 0.0f : 0.3f, precision);
    if (takes(settings)) expect_steps_of_layers(settings);
  }
}

const Widths networks[] = {{799, 256, 128, 64, 192}, {7, 6, 5, 3}, {1, 1, 1},      {64, 33, 10},
                           {33, 129, 31, 7, 2, 5},   {130, 4, 1},  {1000, 90, 90}, {9, 512, 100, 2, 300}};

std::string name_of_network(const testing::TestParamInfo<NetworkStepIn::ParamType>& of) {
  const auto& [precision, widths] = of.param;
  std::string name(name_of(precision));
  for (const std::int64_t width : widths) name += "_" + std::to_string(width);
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, NetworkStepIn,
                         testing::Combine(testing::ValuesIn(offered_precisions), testing::ValuesIn(networks)),
                         name_of_network);

// The host takes all; a GPU those that docs/kernels.md describes.
TEST_F(NetworkStepTest, IsFusedIfTheDeviceCan) {
  const bool host = device().info().backend == "host";
  EXPECT_TRUE(takes(settings_of({64, 33, 10}, 16, 0.3f, Precision::fp32)));
  EXPECT_TRUE(takes(settings_of({64, 33, 10}, 16, 0.3f, Precision::tf32)));
  EXPECT_EQ(takes(settings_of({64, 10}, 16, 0.3f, Precision::fp32)), host) << "one layer";
  EXPECT_EQ(takes(settings_of({64, 33, 10}, 513, 0.3f, Precision::fp32)), host) << "many rows";
  EXPECT_EQ(takes(settings_of({64, 33, 10}, 257, 0.3f, Precision::bf16)), host) << "many rows of 16 bits";
  EXPECT_EQ(takes(settings_of({1025, 33, 10}, 16, 0.3f, Precision::fp32)), host) << "many inputs";
  EXPECT_EQ(takes(settings_of({64, 2000, 2000}, 16, 0.3f, Precision::fp32)), host)
      << "more than shared memory";
  EXPECT_EQ(takes(settings_of({9, 8, 7, 6, 5, 4, 3, 2, 8, 9}, 16, 0.3f, Precision::fp32)), host)
      << "nine layers";
  EXPECT_EQ(takes(settings_of({64, 33, 10}, 16, 0.3f, Precision::tf32x3)), host);
}

TEST_F(NetworkStepTest, GradientIsTheSlopeOfTheLoss) {
  SmallNetworkSettings settings;  // its own few widths
  settings.passes = Passes::fused;
  constexpr std::uint32_t step = 2;
  WholeStepNetwork network(device(), stream(), settings, step);
  if (!network.whole_step()) GTEST_SKIP() << "this device has no way of its own";
  std::vector<LayerTables> layers = random_layers(settings);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    std::vector<double> slopes;
    for (double& value : layers[i].w.values) slopes.push_back(slope(settings, layers, step, value));
    EXPECT_TRUE(near(downloaded(network.layer(i).w_gradient), slopes, 1e-6)) << "layer " << i;
  }
}

class NetworkStepBits : public NetworkStepTest, public testing::WithParamInterface<Precision> {};

TEST_P(NetworkStepBits, Repeat) {
  const SmallNetworkSettings settings = settings_of({799, 256, 128, 64, 192}, 45, 0.3f, GetParam());
  if (!takes(settings)) GTEST_SKIP() << "this device has no way of its own";
  WholeStepNetwork once(device(), stream(), settings, 0);
  WholeStepNetwork again(device(), stream(), settings, 0);
  for (int step = 0; step < (under_sanitizer() ? 3 : 10); ++step) {
    ASSERT_TRUE(once.whole_step());
    ASSERT_TRUE(again.whole_step());
  }
  expect_same_bits(again, once);
}

INSTANTIATE_TEST_SUITE_P(Precisions, NetworkStepBits, testing::ValuesIn(offered_precisions),
                         [](const auto& precision) { return std::string(name_of(precision.param)); });

class SeveralNetworkSteps : public NetworkStepTest,
                            public testing::WithParamInterface<std::tuple<Precision, std::int64_t>> {};

// However many steps a call makes, and however many of them a device makes in a launch.
TEST_P(SeveralNetworkSteps, AreSingleSteps) {
  const auto& [precision, rows] = GetParam();
  constexpr std::uint32_t first = 3;
  const std::uint32_t steps = under_sanitizer() ? 4 : 13;          // racecheck takes minutes for each
  const std::uint32_t steps_at_first = under_sanitizer() ? 3 : 4;  // the rows' two buffers are used again
  const SmallNetworkSettings settings = settings_of({199, 66, 41, 30}, rows, 0.3f, precision);
  if (!takes(settings)) GTEST_SKIP() << "this device has no way of its own";
  WholeStepNetwork one_by_one(device(), stream(), settings, first);
  WholeStepNetwork at_once(device(), stream(), settings, first);
  for (std::uint32_t step = 0; step < steps; ++step) ASSERT_TRUE(one_by_one.whole_step());
  ASSERT_TRUE(at_once.whole_steps(steps_at_first));
  ASSERT_TRUE(at_once.whole_steps(steps - steps_at_first));
  EXPECT_EQ(at_once.state().step, first + steps);
  EXPECT_EQ(at_once.state().beta2_power, one_by_one.state().beta2_power);
  expect_same_bits(at_once, one_by_one);
  const std::vector<std::uint64_t> ends = at_once.step_ends();
  for (std::uint32_t step = first + 1; step < first + steps; ++step) {
    EXPECT_GT(ends[step], ends[step - 1]) << "step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SeveralNetworkSteps,
                         testing::Combine(testing::ValuesIn(offered_precisions),
                                          testing::Values(1, 5, 16, 45)),
                         [](const auto& of) {
                           return std::string(name_of(std::get<Precision>(of.param))) + "_of_" +
                                  std::to_string(std::get<std::int64_t>(of.param)) + "_rows";
                         });

// A replayed step learns its number, and what the step before has drawn for it, from memory alone.
TEST_F(NetworkStepTest, ReplaysAreSteps) {
  const SmallNetworkSettings settings = settings_of({64, 33, 10}, 16, 0.3f, Precision::fp32);
  if (!takes(settings)) GTEST_SKIP() << "this device has no way of its own";
  WholeStepNetwork direct(device(), stream(), settings, 0);
  WholeStepNetwork replayed(device(), stream(), settings, 0);
  ASSERT_TRUE(replayed.whole_step());
  const auto graph = device().capture([&](std::span<Event* const>) { replayed.whole_step(); }, {}, stream());
  for (int step = 1; step < 8; ++step) graph->launch({}, stream());
  for (int step = 0; step < 8; ++step) ASSERT_TRUE(direct.whole_step());
  EXPECT_EQ(replayed.state().step, 8u);
  expect_same_bits(replayed, direct);
}

// Steps of both kinds may follow one another: rows drawn ahead for a step of the other kind are not taken for
// those of a later one.
TEST_F(NetworkStepTest, MixesWithStepsByLayers) {
  const SmallNetworkSettings settings = settings_of({64, 33, 10}, 16, 0.3f, Precision::fp32);
  if (!takes(settings)) GTEST_SKIP() << "this device has no way of its own";
  WholeStepNetwork mixed(device(), stream(), settings, 0);
  WholeStepNetwork layers(device(), stream(), settings, 0);
  for (int step = 0; step < 9; ++step) {
    layers.step_by_layers();
    if (step % 3 == 1) {
      mixed.step_by_layers();
    } else {
      ASSERT_TRUE(mixed.whole_step());
    }
  }
  expect_parameters_near(mixed, layers, 1e-5, true);
  EXPECT_TRUE(near(mixed.losses()[8], layers.losses()[8], 1e-5 * layers.losses()[8]));
}

}  // namespace
}  // namespace breakeven
