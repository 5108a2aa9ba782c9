// SPDX-License-Identifier: Apache-2.0
// The gradient in 16 bits a value: one all-reduce that adds in this dtype, so that the sum is rounded at
// every addition, which no residual makes good.
//
// fp16 ends at 65504. The gradients have no loss scale any more when they are summed, and are means over the
// batch, so they are far from that; where a sum is too large all the same it is infinite on every rank, and
// all of them skip the step in the precision fp16; in the others it stays in sight. What is too small for
// fp16 waits in the residual until it is large enough.
#include "src/compression/compressed_sum.h"
#include "src/compression/make_sum.h"

namespace breakeven {
namespace {

class HalfSum final : public CompressedSum {
 public:
  HalfSum(Device& device, const GradientRange& range, Seat seat, Dtype dtype)
      : CompressedSum(device, range, seat),
        dtype_(dtype),
        codes_(device, range.floats * 2, false, "16-bit gradient") {}

  std::size_t rounds() const override { return 1; }

 protected:
  ExchangePart encode(std::size_t, float* gradient, Stream& stream) override {
    device().encode_half(range().floats, gradient, codes_.as<void>(), dtype_, stream);
    return {ExchangePart::Kind::all_reduce, codes_.as<void>(), range().floats, dtype_};
  }

  void look_through(std::uint32_t* not_finite, Stream& stream) override {
    const auto floats = static_cast<std::int64_t>(range().floats);
    device().find_not_finite({codes_.as<void>(), 1, floats, floats, dtype_}, not_finite, stream);
  }

  void decode(float* gradient, Stream& stream) override {
    device().widen(range().floats, codes_.as<void>(), dtype_, gradient, stream);
  }

 private:
  Dtype dtype_;
  Buffer codes_;
};

}  // namespace

std::unique_ptr<GradientSum> make_bf16_sum(Device& device, const GradientRange& range, Seat seat, double) {
  return std::make_unique<HalfSum>(device, range, seat, Dtype::bf16);
}

std::unique_ptr<GradientSum> make_fp16_sum(Device& device, const GradientRange& range, Seat seat, double) {
  return std::make_unique<HalfSum>(device, range, seat, Dtype::fp16);
}

}  // namespace breakeven
