// SPDX-License-Identifier: Apache-2.0
// What strategies share.
#include "src/strategy/strategy.h"

namespace breakeven {
void Strategy::gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream) {
  device_.copy(whole.data(), mlp.parameters().data(), whole.size_bytes(), stream);
}

std::vector<std::span<const float>> Strategy::own_gradients(Mlp& mlp, std::uint32_t) const {
  if (rank() != 0) return {};
  return {mlp.gradients()};
}

void enqueue_forward(Mlp& mlp, const BatchSource& source, PhaseMarks& marks, Stream& stream) {
  const std::uint32_t last = mlp.settings().micro_batches.count - 1;
  marks.begin(stream);
  for (std::uint32_t part = 0; part <= last; ++part) {
    mlp.load_batch(part, source, stream);
    marks.end_of(Phase::input, stream);
    mlp.forward(part, Mlp::no_hook, stream);
    marks.end_of(Phase::forward, stream);
    if (part == last) return;
    mlp.backward(part, Mlp::no_hook, Mlp::no_hook, stream);
    marks.end_of(Phase::backward, stream);
  }
}

}  // namespace breakeven
