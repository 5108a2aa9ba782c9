// SPDX-License-Identifier: Apache-2.0
// compress=bf16 and compress=fp16: the gradient in 16 bits per value. One all-reduce adds in this dtype, so
// the sum is rounded at every addition; the residual does not correct that.
//
// fp16 ends at 65504. Gradients are far from that when they are summed: the loss scale has been divided out
// and they are means over the batch. A sum that is too large is infinite on all ranks: with precision fp16
// all ranks skip the step, otherwise the infinity shows in the loss. Values too small for fp16 wait in the
// residual.
#include "src/compression/compressed_sum.h"

namespace breakeven::compression {
namespace {

class HalfSum final : public CompressedSum {
 public:
  HalfSum(Device& device, const GradientRange& range, Seat seat, Dtype dtype)
      : CompressedSum(device, range, seat),
        dtype_(dtype),
        halves_(device, range.floats * 2, false, "16-bit gradient") {}

  std::size_t rounds() const override { return 1; }

 protected:
  ExchangePart encode(std::size_t, float* gradient, Stream& stream) override {
    device().encode_half(range().floats, gradient, halves_.as<void>(), dtype_, stream);
    return {ExchangePart::Kind::all_reduce, halves_.as<void>(), range().floats, dtype_};
  }

  void find_not_finite(std::uint32_t* not_finite, Stream& stream) override {
    const auto floats = static_cast<std::int64_t>(range().floats);
    device().find_not_finite({halves_.as<void>(), 1, floats, floats, dtype_}, not_finite, stream);
  }

  void decode(float* gradient, Stream& stream) override {
    device().widen(range().floats, halves_.as<void>(), dtype_, gradient, stream);
  }

 private:
  Dtype dtype_;
  Buffer halves_;
};

}  // namespace

std::unique_ptr<GradientSum> make_bf16_sum(Device& device, const GradientRange& range, Seat seat, double) {
  return std::make_unique<HalfSum>(device, range, seat, Dtype::bf16);
}

std::unique_ptr<GradientSum> make_fp16_sum(Device& device, const GradientRange& range, Seat seat, double) {
  return std::make_unique<HalfSum>(device, range, seat, Dtype::fp16);
}

}  // namespace breakeven::compression
