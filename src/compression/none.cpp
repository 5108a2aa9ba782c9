// SPDX-License-Identifier: Apache-2.0
// The gradient as it is: one all-reduce in fp32.
#include "src/compression/compression.h"

namespace breakeven {
namespace {

class PlainSum final : public GradientSum {
 public:
  explicit PlainSum(std::size_t floats) : floats_(floats) {}
  std::size_t rounds() const override { return 1; }
  ExchangePart prepare(std::size_t, float* gradient, Stream&) override {
    return {ExchangePart::Kind::all_reduce, gradient, floats_};
  }
  void finish(float*, Stream&) override {}

 private:
  std::size_t floats_;
};

}  // namespace

std::unique_ptr<GradientSum> make_plain_sum(Device&, const GradientRange& range, Seat, double) {
  return std::make_unique<PlainSum>(range.floats);
}

SumCost plain_cost(const GradientRange& range, int ranks, double) {
  return {.messages = {{Collective::all_reduce, range.floats * sizeof(float), ranks}}, .memory_bytes = 0};
}

}  // namespace breakeven
