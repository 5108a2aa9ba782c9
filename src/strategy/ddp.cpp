// SPDX-License-Identifier: Apache-2.0
// Data parallelism in its plainest form: every rank holds the whole model and a part of the batch; the sum of
// the ranks' gradients is the gradient of the whole batch, since each is divided by the global batch already.
// Every rank then makes the same update, so the replicas stay the same to the bit.
#include <array>

#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

class Ddp final : public Strategy {
 public:
  explicit Ddp(Communicator& communicator) : communicator_(communicator) {}

  void step(Replica& replica, const BatchSource& source, PhaseMarks& marks, Stream& stream) override {
    enqueue_forward(replica, source, marks, stream);
    replica.backward([](std::size_t) {}, stream);
    marks.end_of(Phase::backward, stream);
    communicator_.all_reduce_sum(replica.gradients().data(), replica.gradients().size(), stream);
    marks.end_of(Phase::exchange, stream);
    replica.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  std::span<const Phase> phases() const override { return order; }

 private:
  static constexpr std::array order{Phase::input, Phase::forward, Phase::backward, Phase::exchange,
                                    Phase::optimizer};
  Communicator& communicator_;
};

}  // namespace

std::unique_ptr<Strategy> make_ddp(Communicator* communicator) {
  return std::make_unique<Ddp>(*communicator);
}

}  // namespace breakeven
