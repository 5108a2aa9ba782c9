// SPDX-License-Identifier: Apache-2.0
// A communicator with a fault planted into its all-reduces, the same on every rank.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "mpi/communicator.h"

namespace breakeven {

struct Fault {
  std::function<bool(int call)> skips = [](int) { return false; };  // that call changes nothing
  float factor = 1;                                                 // every sum is multiplied by it
};

class FaultyCommunicator final : public Communicator {
 public:
  FaultyCommunicator(Communicator& inner, Device& device, Fault fault)
      : Communicator(inner.group(), inner.rank(), inner.size()),
        inner_(inner),
        device_(device),
        fault_(std::move(fault)) {}

  std::string_view name() const override { return inner_.name(); }
  bool capturable() const override { return inner_.capturable(); }
  void all_reduce_sum(void* data, std::size_t count, Dtype dtype, Stream& stream) override {
    if (fault_.skips(calls_++)) return;
    inner_.all_reduce_sum(data, count, dtype, stream);
    if (fault_.factor != 1) device_.scale(count, fault_.factor, static_cast<float*>(data), stream);
  }
  void check() override { inner_.check(); }

  // The strategies under test use none of these.
  void reduce_sum(float*, std::size_t, int, Stream&) override { FAIL(); }
  void broadcast(float*, std::size_t, int, Stream&) override { FAIL(); }
  void reduce_scatter_sum(float*, std::size_t, Stream&) override { FAIL(); }
  void all_gather(float*, std::size_t, Stream&) override { FAIL(); }
  void send(const float*, std::size_t, int, Stream&) override { FAIL(); }
  void receive(float*, std::size_t, int, Stream&) override { FAIL(); }

 private:
  Communicator& inner_;
  Device& device_;
  Fault fault_;
  int calls_ = 0;
};

}  // namespace breakeven
