// SPDX-License-Identifier: Apache-2.0
// What is too large for the dtype that a product is stored in: told with loss scaling, in sight without it.
#include <cmath>
#include <limits>

#include "tests/support/epilogue_cases.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Overflow : public EpilogueTest {
 protected:
  static Operands with_one_huge(GemmLayout layout, const GemmShape& shape, double huge) {
    Operands in = random_operands(layout, shape);
    in.a.at(shape.m / 2, shape.k / 2) = huge;
    return in;
  }

  // Calls run(matrices, state) for every kernel, with operands that make a stored value overflow and not.
  template <typename Run>
  static void expect_told(GemmLayout layout, const Run& run, bool only_where_scaled = false) {
    const GemmShape shape{33, 67, 40};
    for (const PrecisionInfo& info : precisions) {
      if (only_where_scaled && !info.scales_loss) continue;
      const double largest = format_of(info.dtype).largest;
      for (const GemmKernel kernel : device().gemm_kernels(info.precision)) {
        const ProductCase of{layout, info.precision, {kernel}, shape};
        for (const double huge : {1.0, 0.99 * largest, infinity, std::nan("")}) {
          for (const std::uint32_t growth_interval : {0u, 1000u}) {
            SCOPED_TRACE(testing::Message() << of << ", one is " << huge << ", growth " << growth_interval);
            const ProductMatrices matrices(device(), stream(), of, with_one_huge(layout, shape, huge),
                                           Padding::to_16_bytes);
            StepState before;
            before.step = epilogue_step;
            before.growth_interval = growth_interval;
            before.loss_scale = 4096;
            const DeviceArray<StepState> state(device(), stream(), {before});
            run(matrices, state);
            const StepState after = state.download()[0];
            const bool overflows = huge != 1;
            EXPECT_EQ(after.overflow, overflows && growth_interval > 0 ? 1u : 0u);
            EXPECT_EQ(after.step, before.step);
            EXPECT_EQ(after.loss_scale, before.loss_scale);
            std::size_t not_finite = 0;
            for (const double value : matrices.c.download().values)
              not_finite += std::isfinite(value) ? 0 : 1;
            EXPECT_EQ(not_finite > 0, overflows);
          }
        }
      }
    }
  }
};

TEST_F(Overflow, OfALossIsTold) {
  expect_told(GemmLayout::nt, [](const ProductMatrices& matrices, const DeviceArray<StepState>& state) {
    const GemmShape& shape = matrices.of.shape;
    const DeviceMatrix target(device(), stream(), Table(shape.m, shape.n), Padding::to_16_bytes);
    const DeviceArray<float> bias = array(std::vector<double>(static_cast<std::size_t>(shape.n), 0.0));
    const DeviceArray<float> losses(device(), stream(), {0});
    device().gemm(
        matrices.product(SquaredErrorLoss{bias.data(), target.view(), 1, state.data(), losses.span()}),
        stream());
    stream().synchronize();
  });
}

// That it is told costs time in every step, and matters only where the loss is scaled.
TEST_F(Overflow, OfAnActivationIsTold) {
  expect_told(
      GemmLayout::nt,
      [](const ProductMatrices& matrices, const DeviceArray<StepState>& state) {
        const DeviceArray<float> bias =
            array(std::vector<double>(static_cast<std::size_t>(matrices.of.shape.n), 0.0));
        device().gemm(matrices.product(BiasReluDropout{bias.data(), {.rate = 0.9f, .seed = 7}, state.data()}), stream());
        stream().synchronize();
      },
      true);
}

TEST_F(Overflow, OfAGradientIsTold) {
  expect_told(GemmLayout::nn, [](const ProductMatrices& matrices, const DeviceArray<StepState>& state) {
    const GemmShape& shape = matrices.of.shape;
    const DeviceMatrix h(device(), stream(), Table(shape.m, shape.n, 1.0), Padding::to_16_bytes,
                         matrices.c.view().dtype);
    device().gemm(matrices.product(ReluDropoutBackward{h.view(), 0.9f, state.data()}), stream());
    stream().synchronize();
  });
}

}  // namespace
}  // namespace breakeven
