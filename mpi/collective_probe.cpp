// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective_probe.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "kernels/timed_operations.h"
#include "mpi/mpi_call.h"
#include "mpi/served_parameters.h"
#include "src/core/records/run_record.h"

namespace breakeven {
namespace {

constexpr double batch_seconds = 0.5e-3;  // the approximate length of a batch of short calls
constexpr int most_calls = 20;            // in a batch
constexpr int batches = 5;
constexpr int batches_of_slow_calls = 3;

}  // namespace

double longest_of(MPI_Comm group, double mine) {
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, group));
  return mine;
}

CollectiveProbe::CollectiveProbe(Device& device, Communicator& communicator, MPI_Comm group, bool in_graph)
    : device_(device),
      communicator_(communicator),
      group_(group),
      in_graph_(in_graph && communicator.capturable()),
      stream_(device.make_stream()) {}

CollectiveProbe::Payload CollectiveProbe::payload_of(Collective kind, std::uint64_t bytes) const {
  const bool in_shares = kind == Collective::reduce_scatter || kind == Collective::all_gather;
  const std::size_t shares = in_shares ? ranks() : 1;
  return {std::max<std::size_t>(1, bytes / sizeof(float) / shares), shares};
}

void CollectiveProbe::make_room(std::size_t floats) {
  if (data_.bytes() >= floats * sizeof(float)) return;
  data_ = Buffer();  // frees the old one first: both may not fit
  data_ = Buffer(device_, floats * sizeof(float), false, "payload of the communication measurement");
  device_.fill_zero(data_.as<>(), data_.bytes(), *stream_);
}

void CollectiveProbe::call(Collective kind, const Payload& payload, int turn) {
  const int root = turn % communicator_.size();
  float* const data = data_.as<float>();
  switch (kind) {
    case Collective::all_reduce:
      return communicator_.all_reduce_sum(data, payload.floats(), *stream_);
    case Collective::reduce:
      return communicator_.reduce_sum(data, payload.floats(), root, *stream_);
    case Collective::broadcast:
      return communicator_.broadcast(data, payload.floats(), root, *stream_);
    case Collective::reduce_scatter:
      return communicator_.reduce_scatter_sum(data, payload.share, *stream_);
    case Collective::all_gather:
      return communicator_.all_gather(data, payload.share, *stream_);
    case Collective::send:
    case Collective::receive:
    case Collective::one_sided:
      break;
  }
  // A round trip between ranks 0 and 1; other ranks do nothing.
  if (communicator_.rank() == 0) {
    communicator_.send(data, payload.floats(), 1, *stream_);
    communicator_.receive(data, payload.floats(), 1, *stream_);
  } else if (communicator_.rank() == 1) {
    communicator_.receive(data, payload.floats(), 0, *stream_);
    communicator_.send(data, payload.floats(), 0, *stream_);
  }
}

double CollectiveProbe::median_of_batches(const std::function<Batch(int calls)>& batch) {
  const auto run = [&](const Batch& one) {
    MPI_CALL(MPI_Barrier(group_));
    return longest_of(group_, one());
  };
  const double first = run(batch(1));
  const int calls = std::clamp(static_cast<int>(batch_seconds / first), 1, most_calls);
  const Batch timed = batch(calls);
  std::vector<double> seconds(first > slow_call_seconds ? batches_of_slow_calls : batches);
  for (double& one : seconds) one = run(timed);
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

double CollectiveProbe::seconds_on_stream(Collective kind, const Payload& payload) {
  make_room(payload.floats());
  const auto this_call = [this, kind, payload](int turn) { call(kind, payload, turn); };
  // Libraries set themselves up at the first call for each root, which cannot be captured.
  for (int turn = 0; turn < communicator_.size(); ++turn) this_call(turn);
  stream_->synchronize();
  return median_of_batches([&](int calls) -> Batch {
    // The lead-in is one call, after which all ranks begin together.
    auto timed = std::make_shared<TimedOperations>(
        device_, *stream_, [this_call] { this_call(0); },
        [this_call, calls] {
          for (int turn = 1; turn <= calls; ++turn) this_call(turn);
        },
        in_graph_);
    return [this, timed, calls] {
      timed->launch();
      stream_->synchronize();
      return timed->seconds() / calls;
    };
  });
}

double CollectiveProbe::seconds_one_sided(std::size_t floats) {
  std::vector<float> values(floats, 0.0f);
  ServedParameters served(group_, 0, values.data(), floats);
  return median_of_batches([&](int calls) -> Batch {
    return [&values, &served, calls] {
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < calls; ++i) {
        served.pull(values.data());
        served.push(values.data());
      }
      const std::chrono::duration<double> both = std::chrono::steady_clock::now() - start;
      return both.count() / 2 / calls;
    };
  });
}

bool CollectiveProbe::is_possible(Collective kind) const {
  return kind != Collective::one_sided || ServedParameters::are_possible(group_);
}

double CollectiveProbe::seconds(Collective kind, std::uint64_t bytes) {
  const Payload payload = payload_of(kind, bytes);
  if (kind == Collective::one_sided) return seconds_one_sided(payload.floats());
  const double seconds = seconds_on_stream(probed_as(kind), payload);
  return probed_as(kind) == Collective::send ? seconds / 2 : seconds;
}

std::array<double, message_sizes> CollectiveProbe::seconds_of_all_sizes(Collective kind,
                                                                        std::uint64_t largest_bytes) {
  std::array<double, message_sizes> all;
  all.fill(not_measured);
  for (std::size_t place = 0; place < message_sizes && message_size(place) <= largest_bytes; ++place) {
    all[place] = seconds(kind, message_size(place));
    const bool is_slow = !(all[place] <= slow_call_seconds);
    const bool is_of_bytes =
        !(all[place] < 2 * all[0]);  // not of a busy machine, whose small calls are slow too
    if ((is_slow && is_of_bytes) || !(all[place] <= longest_call_seconds)) break;
  }
  return all;
}

}  // namespace breakeven
