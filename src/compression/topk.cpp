// SPDX-License-Identifier: Apache-2.0
// compress=topk: the values of largest magnitude and their indices (Aji and Heafield, "Sparse Communication
// for Distributed Gradient Descent", EMNLP 2017; with the memory of Stich et al., "Sparsified SGD with
// Memory", NeurIPS 2018). Each rank selects its own values.
#include "src/compression/compressed_sum.h"
#include "src/core/compression/message_layouts.h"

namespace breakeven::compression {
namespace {

class LargestSum final : public GatheredSum {
 public:
  LargestSum(Device& device, const GradientRange& range, Seat seat, std::size_t chosen)
      : GatheredSum(device, range, seat, 2 * chosen), chosen_(chosen) {}

 protected:
  void encode_message(float* gradient, float* message, Stream& stream) override {
    device().encode_topk(range().floats, chosen_, gradient, message, stream);
  }

  // NaN and infinity have the largest magnitudes, so a rank that has any sends at least one.
  void find_not_finite(std::uint32_t* not_finite, Stream& stream) override {
    device().find_not_finite(table(chosen_, chosen_), not_finite, stream);
  }

  void decode(float* gradient, Stream& stream) override {
    device().sum_topk(range().floats, chosen_, messages(), gradient, stream);
  }

 private:
  std::size_t chosen_;
};

}  // namespace

std::unique_ptr<GradientSum> make_topk_sum(Device& device, const GradientRange& range, Seat seat,
                                           double part) {
  return std::make_unique<LargestSum>(device, range, seat, topk_values(range, part));
}

}  // namespace breakeven::compression
