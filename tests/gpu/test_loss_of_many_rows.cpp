// SPDX-License-Identifier: Apache-2.0
// The loss of so many rows that the blocks of a small tile have more partial sums than there is room for. Run
// it under compute-sanitizer's memcheck too, which sees a sum that is stored elsewhere.
#include "tests/support/device_under_test.h"

namespace breakeven {
namespace {

constexpr std::int64_t width = 8;

class LossOfManyRows : public DeviceTest {
 protected:
  // Of outputs that are all 2 where 0 is wanted.
  static float loss_of(std::int64_t rows, Precision precision) {
    const Dtype dtype = info_of(precision).dtype;
    const auto zeros = [](std::int64_t count, Dtype of) {
      const auto bytes = static_cast<std::size_t>(count * width * bytes_of(of));
      Buffer buffer(device(), bytes, false, "zeros");
      device().fill_zero(buffer.as<char>(), bytes, stream());
      return buffer;
    };
    const Buffer a = zeros(rows, dtype), b = zeros(width, dtype), target = zeros(rows, Dtype::fp32);
    const Buffer c = zeros(rows, dtype);
    const DeviceMatrix bias(device(), stream(), Table(1, width, 2.0), Padding::none);
    const DeviceArray<StepState> state(device(), stream(), {StepState{}});
    const DeviceArray<float> losses(device(), stream(), {0.0f});
    const SquaredErrorLoss loss{bias.view().floats(),
                                {target.as<float>(), rows, width, width},
                                static_cast<std::uint32_t>(rows),
                                state.data(),
                                {losses.data(), 1}};
    const ConstMatrix first{a.as<void>(), rows, width, width, dtype},
        second{b.as<void>(), width, width, width, dtype};
    const Matrix result{c.as<void>(), rows, width, width, dtype};
    device().gemm(Product{GemmLayout::nt, precision, {}, first, second, result, loss}, stream());
    return losses.download().front();
  }
};

TEST_F(LossOfManyRows, HasRoomForItsSums) {
  constexpr std::int64_t more_than_parts_of_64_rows = 8'400'000, more_than_parts_of_128_rows = 17'000'000;
  for (const PrecisionInfo& info : precisions) {
    for (const std::int64_t rows : {more_than_parts_of_64_rows, more_than_parts_of_128_rows}) {
      EXPECT_EQ(loss_of(rows, info.precision), 4.0f) << info.name << ", " << rows << " rows";
    }
  }
}

}  // namespace
}  // namespace breakeven
