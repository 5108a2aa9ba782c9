// SPDX-License-Identifier: Apache-2.0
// compress=onebit: the signs of the weights' gradients, with two means per row (Seide et al., "1-Bit
// Stochastic Gradient Descent and its Application to Data-Parallel Distributed Training of Speech DNNs",
// Interspeech 2014). Biases, one value in thousands, are sent uncompressed.
#include "src/compression/compressed_sum.h"
#include "src/core/compression/message_layouts.h"

namespace breakeven::compression {
namespace {

class SignSum final : public GatheredSum {
 public:
  SignSum(Device& device, const GradientRange& range, Seat seat)
      : GatheredSum(device, range, seat, SignMessage(range).floats), message_(range) {}

 protected:
  void encode_message(float* gradient, float* message, Stream& stream) override {
    for (std::size_t i = 0; i < message_.weights.size(); ++i) {
      const auto [means, words] = message_.weights[i];
      device().encode_onebit(range().weights[i].in(gradient), message + means,
                             reinterpret_cast<std::uint32_t*>(message + words), stream);
    }
    for (std::size_t i = 0; i < message_.biases.size(); ++i) {
      const auto [first, floats] = range().biases[i];
      device().copy(message + message_.biases[i], gradient + first, floats * sizeof(float), stream);
      device().fill_zero(gradient + first, floats * sizeof(float), stream);
    }
  }

  void find_not_finite(std::uint32_t* not_finite, Stream& stream) override {
    device().find_not_finite(table(0, message_.numbers), not_finite, stream);
  }

  void decode(float* gradient, Stream& stream) override {
    for (std::size_t i = 0; i < message_.weights.size(); ++i) {
      const auto [means, words] = message_.weights[i];
      device().sum_onebit(messages(means), messages(words), range().weights[i].in(gradient), stream);
    }
    for (std::size_t i = 0; i < message_.biases.size(); ++i) {
      const auto [first, floats] = range().biases[i];
      device().sum_values(floats, messages(message_.biases[i]), gradient + first, stream);
    }
  }

 private:
  SignMessage message_;
};

}  // namespace

std::unique_ptr<GradientSum> make_onebit_sum(Device& device, const GradientRange& range, Seat seat, double) {
  return std::make_unique<SignSum>(device, range, seat);
}

}  // namespace breakeven::compression
