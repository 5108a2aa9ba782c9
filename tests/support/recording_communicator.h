// SPDX-License-Identifier: Apache-2.0
// A communicator that passes every call on and writes down what it was.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mpi/communicator.h"
#include "src/core/message.h"

namespace breakeven {

class RecordingCommunicator final : public Communicator {
 public:
  // Parts write into the same record, call by call.
  RecordingCommunicator(Communicator& inner, std::vector<Message>& record)
      : Communicator(inner.group(), inner.rank(), inner.size()), inner_(inner), record_(record) {}

  std::string_view name() const override { return inner_.name(); }
  bool capturable() const override { return inner_.capturable(); }
  void all_reduce_sum(void* data, std::size_t count, Dtype dtype, Stream& stream) override {
    write_down(Collective::all_reduce, count * static_cast<std::size_t>(bytes_of(dtype)));
    inner_.all_reduce_sum(data, count, dtype, stream);
  }
  void reduce_sum(float* data, std::size_t count, int root, Stream& stream) override {
    write_down(Collective::reduce, count * sizeof(float));
    inner_.reduce_sum(data, count, root, stream);
  }
  void broadcast(float* data, std::size_t count, int root, Stream& stream) override {
    write_down(Collective::broadcast, count * sizeof(float));
    inner_.broadcast(data, count, root, stream);
  }
  void reduce_scatter_sum(float* data, std::size_t share, Stream& stream) override {
    write_down(Collective::reduce_scatter, share * sizeof(float) * static_cast<std::size_t>(size()));
    inner_.reduce_scatter_sum(data, share, stream);
  }
  void all_gather(float* data, std::size_t share, Stream& stream) override {
    write_down(Collective::all_gather, share * sizeof(float) * static_cast<std::size_t>(size()));
    inner_.all_gather(data, share, stream);
  }
  void all_gather_words(void* data, std::size_t share, Stream& stream) override {
    write_down(Collective::all_gather, share * sizeof(float) * static_cast<std::size_t>(size()));
    inner_.all_gather_words(data, share, stream);
  }
  void send(const float* data, std::size_t count, int to, Stream& stream) override {
    record_.push_back({Collective::send, count * sizeof(float), 2});
    inner_.send(data, count, to, stream);
  }
  void receive(float* data, std::size_t count, int from, Stream& stream) override {
    record_.push_back({Collective::receive, count * sizeof(float), 2});
    inner_.receive(data, count, from, stream);
  }
  void check() override { inner_.check(); }

 protected:
  std::unique_ptr<Communicator> split(int colour) override {
    static int splits = 0;  // in the whole program: the inner one keeps its parts, by name
    Communicator& part = inner_.part("recorded " + std::to_string(splits++), colour);
    return std::make_unique<RecordingCommunicator>(part, record_);
  }

 private:
  void write_down(Collective kind, std::size_t bytes) { record_.push_back({kind, bytes, size()}); }

  Communicator& inner_;
  std::vector<Message>& record_;
};

}  // namespace breakeven
