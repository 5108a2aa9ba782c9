// SPDX-License-Identifier: Apache-2.0
// The operations together: the gradient of a whole network, dropout active, against central differences of
// its loss in double; the step with everything fused against the step in passes; and training that lowers the
// loss, in every precision.
#include <tuple>

#include "tests/support/near.h"
#include "tests/support/small_network.h"

namespace breakeven {
namespace {

constexpr std::uint32_t network_step = 2;

// Only fp16 is trained with another scale than 1.
float network_loss_scale(Precision precision) { return precision == Precision::fp16 ? 256 : 1; }

class Network : public DeviceTest {
 protected:
  static void expect_gradient_is_the_slope(const SmallNetworkSettings& settings) {
    SmallNetwork network(device(), stream(), settings, network_step);
    network.forward();
    network.backward();
    std::vector<LayerTables> layers = random_layers(settings);
    EXPECT_TRUE(near(network.losses()[network_step], reference_loss(settings, layers, network_step), 1e-6));
    for (std::size_t i = 0; i < layers.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "layer " << i << ", rate " << settings.rate);
      std::vector<double> w_slopes;
      for (double& value : layers[i].w.values)
        w_slopes.push_back(slope(settings, layers, network_step, value));
      std::vector<double> b_slopes;
      for (double& value : layers[i].b) b_slopes.push_back(slope(settings, layers, network_step, value));
      const std::vector<double> w_gradient = network.layer(i).w_gradient.download().values;
      const std::vector<float> b_gradient = network.layer(i).b_gradient.download();
      EXPECT_TRUE(near(w_gradient, w_slopes, 1e-6));
      EXPECT_TRUE(near(b_gradient, b_slopes, 1e-6));
      EXPECT_TRUE(near(frobenius_error(w_gradient, w_slopes), 0, 1e-6));
      EXPECT_TRUE(near(frobenius_error(b_gradient, b_slopes), 0, 1e-6));
    }
  }
};

TEST_F(Network, GradientOfMeanSquaredErrorIsTheSlope) {
  for (const float rate : {0.0f, 0.3f})
    expect_gradient_is_the_slope({.rate = rate, .output = Output::values});
}

TEST_F(Network, GradientOfCrossEntropyIsTheSlope) {
  for (const float rate : {0.0f, 0.3f})
    expect_gradient_is_the_slope({.rate = rate, .output = Output::classes});
}

// Two devices' gradients of their shares add up to one device's of the whole batch.
TEST_F(Network, GradientsOfSharesAddUp) {
  SmallNetworkSettings settings{.rows = 8, .first_sample = 0};
  SmallNetwork whole(device(), stream(), settings, network_step);
  settings.rows = 3;
  SmallNetwork front(device(), stream(), settings, network_step);
  settings.rows = 5;
  settings.first_sample = 3;
  SmallNetwork back(device(), stream(), settings, network_step);
  for (SmallNetwork* network : {&whole, &front, &back}) {
    network->forward();
    network->backward();
  }
  for (std::size_t i = 0; i < whole.layer_count(); ++i) {
    std::vector<double> sum = front.layer(i).w_gradient.download().values;
    const std::vector<double> rest = back.layer(i).w_gradient.download().values;
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += rest[j];
    EXPECT_TRUE(near(sum, whole.layer(i).w_gradient.download().values, 4 * fp32_roundoff)) << "layer " << i;
  }
  EXPECT_TRUE(near(front.losses()[network_step] + back.losses()[network_step], whole.losses()[network_step],
                   4 * fp32_roundoff));
}

// How far a network's numbers in a precision may be from one of another order of roundings: the operands' and
// the stored activations' roundings, through three layers.
double network_roundoff(Precision precision) {
  const PrecisionInfo& info = info_of(precision);
  return 16 * std::max(info.operand_roundoff, roundoff_of(info.dtype));
}

TEST_F(Network, GradientInEveryPrecisionIsThatOfFp32) {
  for (const Output output : {Output::values, Output::classes}) {
    // Of this seed no kept unit is nearer to the kink of ReLU than 0.19: no rounding moves one across.
    SmallNetworkSettings settings{.seed = 371, .output = output};
    SmallNetwork exact(device(), stream(), settings, network_step);
    exact.forward();
    exact.backward();
    for (const PrecisionInfo& info : precisions) {
      for (const Passes passes : {Passes::fused, Passes::apart}) {
        SCOPED_TRACE(testing::Message() << info.name << (passes == Passes::fused ? " fused" : " apart"));
        settings.precision = info.precision;
        settings.passes = passes;
        settings.loss_scale = network_loss_scale(info.precision);  // of no effect on what a weight sees
        SmallNetwork network(device(), stream(), settings, network_step);
        network.forward();
        network.backward();
        const double roundoff = network_roundoff(info.precision);
        EXPECT_TRUE(near(network.losses()[network_step], exact.losses()[network_step],
                         roundoff * exact.losses()[network_step]));
        EXPECT_EQ(network.state().overflow, 0u);
        for (std::size_t i = 0; i < exact.layer_count(); ++i) {
          const SmallNetwork::Layer& actual = network.layer(i);
          const SmallNetwork::Layer& expected = exact.layer(i);
          EXPECT_TRUE(near(
              frobenius_error(actual.w_gradient.download().values, expected.w_gradient.download().values), 0,
              roundoff));
          EXPECT_TRUE(near(frobenius_error(actual.b_gradient.download(), expected.b_gradient.download()), 0,
                           roundoff));
        }
      }
    }
  }
}

// One product for each weight, with the update in it, trains as the passes do.
TEST_F(Network, StepsWithTheUpdateFusedAreStepsInPasses) {
  for (const PrecisionInfo& info : precisions) {
    SCOPED_TRACE(info.name);
    SmallNetworkSettings settings{.precision = info.precision, .passes = Passes::apart};
    SmallNetwork apart(device(), stream(), settings, 0);
    settings.passes = Passes::fused;
    SmallNetwork fused(device(), stream(), settings, 0);
    constexpr int steps = 4;
    for (int i = 0; i < steps; ++i) {
      apart.forward();
      apart.backward();
      apart.update();
      fused.forward();
      fused.backward_with_update();
    }
    EXPECT_EQ(fused.state().step, static_cast<std::uint32_t>(steps));
    EXPECT_EQ(fused.state().beta2_power, apart.state().beta2_power);
    const double roundoff = network_roundoff(info.precision);
    for (int i = 0; i < steps; ++i) {
      const auto slot = static_cast<std::size_t>(i);
      EXPECT_TRUE(near(fused.losses()[slot], apart.losses()[slot], 4 * roundoff * apart.losses()[slot]));
    }
    for (std::size_t i = 0; i < apart.layer_count(); ++i) {
      const Table w = fused.layer(i).w.download();
      EXPECT_TRUE(near(frobenius_error(w.values, apart.layer(i).w.download().values), 0, roundoff));
      EXPECT_TRUE(
          near(frobenius_error(fused.layer(i).b.download(), apart.layer(i).b.download()), 0, roundoff));
      EXPECT_NE(w.values, random_layers(settings)[i].w.values) << "layer " << i << " was not updated";
    }
  }
}

class TrainingIn : public Network, public testing::WithParamInterface<std::tuple<PrecisionInfo, Output>> {};

TEST_P(TrainingIn, LowersTheLoss) {
  const auto& [info, output] = GetParam();
  SmallNetwork network(device(), stream(),
                       {.samples = 8,
                        .rows = 8,
                        .first_sample = 0,
                        .rate = 0.0f,
                        .output = output,
                        .precision = info.precision,
                        .passes = Passes::fused,
                        .loss_scale = network_loss_scale(info.precision)},
                       0);
  constexpr std::uint32_t steps = 400;
  std::vector<float> early;
  for (std::uint32_t step = 0; step < steps; ++step) {
    network.forward();
    network.backward_with_update();
    if (step == 0) early = network.losses();
  }
  EXPECT_EQ(network.state().step, steps);
  EXPECT_EQ(network.state().loss_scale, network_loss_scale(info.precision)) << "a step overflowed";
  EXPECT_LT(network.losses()[(steps - 1) % SmallNetwork::loss_slots], 0.8f * early[0]);
}

std::string name_of_training(const testing::TestParamInfo<TrainingIn::ParamType>& of) {
  const auto& [info, output] = of.param;
  return std::string(info.name) + (output == Output::values ? "_values" : "_classes");
}

INSTANTIATE_TEST_SUITE_P(All, TrainingIn,
                         testing::Combine(testing::ValuesIn(precisions),
                                          testing::Values(Output::values, Output::classes)),
                         name_of_training);

// Operations keep the padding at zero through a whole training step; download() looks at it.
TEST_F(Network, PaddingStaysZero) {
  for (const PrecisionInfo& info : precisions) {
    for (const Passes passes : {Passes::fused, Passes::apart}) {
      SmallNetwork network(device(), stream(), {.precision = info.precision, .passes = passes}, 0);
      network.forward();
      if (passes == Passes::fused) {
        network.backward_with_update();
      } else {
        network.backward();
        network.update();
      }
      for (std::size_t i = 0; i < network.layer_count(); ++i) {
        const SmallNetwork::Layer& layer = network.layer(i);
        for (const DeviceMatrix* matrix :
             {&layer.w, &layer.w_gradient, &layer.w_first_moment, &layer.w_second_moment, &layer.w_working,
              &layer.h, &layer.h_gradient}) {
          EXPECT_FALSE(matrix->download().values.empty());
        }
      }
    }
  }
}

}  // namespace
}  // namespace breakeven
