// SPDX-License-Identifier: Apache-2.0
// A communicator that loses one transfer: it takes part, so that no rank waits, but stores what arrives
// elsewhere.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "mpi/communicator.h"
#include "src/bench/matmul/links.h"

namespace breakeven {

struct Loss {
  int lost = -1;  // number of the arriving transfer that is lost on this rank; -1: none
  int seen = 0;   // transfers that have arrived so far
};

class LossyCommunicator final : public Communicator {
 public:
  // `between_hosts`: the data are in host memory.
  LossyCommunicator(Communicator& inner, Device& device, bool between_hosts, Loss& loss)
      : Communicator(inner.group(), inner.rank(), inner.size()),
        inner_(inner),
        device_(device),
        between_hosts_(between_hosts),
        loss_(loss) {}

  std::string_view name() const override { return inner_.name(); }
  bool capturable() const override { return false; }
  void broadcast(float* data, std::size_t count, int root, Stream& stream) override {
    inner_.broadcast(rank() == root ? data : target(data, count), count, root, stream);
  }
  void send(const float* data, std::size_t count, int to, Stream& stream) override {
    inner_.send(data, count, to, stream);
  }
  void receive(float* data, std::size_t count, int from, Stream& stream) override {
    inner_.receive(target(data, count), count, from, stream);
  }
  void check() override { inner_.check(); }

  // No form uses these. A form that does must define here what a loss is.
  void all_reduce_sum(void*, std::size_t, Dtype, Stream&) override { FAIL(); }
  void reduce_sum(float*, std::size_t, int, Stream&) override { FAIL(); }
  void reduce_scatter_sum(float*, std::size_t, Stream&) override { FAIL(); }
  void all_gather(float*, std::size_t, Stream&) override { FAIL(); }

 private:
  float* target(float* data, std::size_t count) {
    if (loss_.seen++ != loss_.lost) return data;
    elsewhere_ = Buffer(device_, count * sizeof(float), between_hosts_, "a lost transfer");
    return elsewhere_.as<float>();
  }

  Communicator& inner_;
  Device& device_;
  bool between_hosts_;
  Loss& loss_;
  Buffer elsewhere_;
};

// The same links with losses. Transfers are counted over all of them.
class LossyLinks {
 public:
  LossyLinks(const bench::Links& links, Device& device, Loss& loss) : links_(links) {
    Communicator** const all[] = {&links_.host, &links_.bridge, &links_.device, &links_.mesh_row,
                                  &links_.mesh_col};
    for (Communicator** one : all) {
      if (*one == nullptr) continue;
      owned_.push_back(std::make_unique<LossyCommunicator>(**one, device, one == &links_.host, loss));
      *one = owned_.back().get();
    }
  }
  const bench::Links& links() const { return links_; }

 private:
  bench::Links links_;
  std::vector<std::unique_ptr<Communicator>> owned_;
};

}  // namespace breakeven
