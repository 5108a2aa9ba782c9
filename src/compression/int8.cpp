// SPDX-License-Identifier: Apache-2.0
// compress=int8: the gradient in 8 bits per value with one scale per 256 values (kernels/int8_compression.h).
#include "kernels/int8_compression.h"

#include "src/compression/compressed_sum.h"

namespace breakeven::compression {
namespace {

class Int8Sum final : public GatheredSum {
 public:
  Int8Sum(Device& device, const GradientRange& range, Seat seat)
      : GatheredSum(device, range, seat, int8_message_floats(range.floats)) {}

 protected:
  void encode_message(float* gradient, float* message, Stream& stream) override {
    device().encode_int8(range().floats, gradient, message, stream);
  }

  void find_not_finite(std::uint32_t* not_finite, Stream& stream) override {
    device().find_not_finite(table(0, int8_blocks(range().floats)), not_finite, stream);
  }

  void decode(float* gradient, Stream& stream) override {
    device().sum_int8(range().floats, messages(), gradient, stream);
  }
};

}  // namespace

std::unique_ptr<GradientSum> make_int8_sum(Device& device, const GradientRange& range, Seat seat, double) {
  return std::make_unique<Int8Sum>(device, range, seat);
}

}  // namespace breakeven::compression
