// SPDX-License-Identifier: Apache-2.0
// The baseline: one GPU and nothing that exists for the sake of others.
#include <array>

#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

class Single final : public Strategy {
 public:
  void step(Replica& replica, const BatchSource& source, PhaseMarks& marks, Stream& stream) override {
    enqueue_gradient(
        replica, source, [](std::size_t) {}, marks, stream);
    replica.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  std::span<const Phase> phases() const override { return order; }

 private:
  static constexpr std::array order{Phase::input, Phase::forward, Phase::backward, Phase::optimizer};
};

}  // namespace

std::unique_ptr<Strategy> make_single(Communicator*) { return std::make_unique<Single>(); }

}  // namespace breakeven
