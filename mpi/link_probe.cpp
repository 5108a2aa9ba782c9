// SPDX-License-Identifier: Apache-2.0
#include "mpi/link_probe.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "mpi/mpi_call.h"

namespace breakeven {
namespace {

constexpr int timed_batches = 5;     // timed; the median is taken
constexpr int trips_of_batch = 100;  // in one timed batch
constexpr int warmup_round_trips = 10;
constexpr int meeting_tag = 8;

// A value for (from, to, index) that changes with each of them: 24 mixed bits, which a float holds exactly.
// The factors are odd (2^32 / golden ratio, and two primes), so that no neighbours collide.
float probe_value(int from, int to, std::size_t index) {
  const auto pair = static_cast<std::uint32_t>(from) * 1000003u + static_cast<std::uint32_t>(to) * 7919u + 1u;
  const std::uint32_t word = (static_cast<std::uint32_t>(index) + pair) * 2654435769u;
  return static_cast<float>((word ^ (word >> 15)) >> 8);
}

double median(std::array<double, timed_batches> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

LinkProbe::LinkProbe(Device& device, Communicator& communicator, MPI_Comm group)
    : device_(device),
      communicator_(communicator),
      group_(group),
      floats_(device.info().is_host() ? std::size_t{1} << 20 : std::size_t{1} << 24),
      transfers_(device.info().is_host() ? 1 : 8),
      stream_(device.make_stream()),
      payload_(device, floats_ * sizeof(float), false, "payload of the link measurement"),
      host_(device, floats_ * sizeof(float), true, "expected payload of the link measurement") {}

void LinkProbe::meet(int from, int to) {
  stream_->synchronize();
  const int other = communicator_.rank() == from ? to : from;
  MPI_CALL(MPI_Sendrecv(nullptr, 0, MPI_BYTE, other, meeting_tag, nullptr, 0, MPI_BYTE, other, meeting_tag,
                        group_, MPI_STATUS_IGNORE));
}

void LinkProbe::transfer(int from, int to, std::size_t floats) {
  if (communicator_.rank() == from) {
    communicator_.send(payload_.as<float>(), floats, to, *stream_);
  } else {
    communicator_.receive(payload_.as<float>(), floats, from, *stream_);
  }
}

bool LinkProbe::data_right(int from, int to) {
  float* const values = host_.as<float>();
  const bool sends = communicator_.rank() == from;
  if (sends) {
    for (std::size_t i = 0; i < floats_; ++i) values[i] = probe_value(from, to, i);
    device_.copy(payload_.as<float>(), values, payload_.bytes(), *stream_);
  } else {
    device_.fill_zero(payload_.as<float>(), payload_.bytes(), *stream_);
  }
  transfer(from, to, floats_);
  device_.copy(values, payload_.as<float>(), payload_.bytes(), *stream_);
  stream_->synchronize();
  std::size_t right = 0;
  for (std::size_t i = 0; i < floats_; ++i) right += values[i] == probe_value(from, to, i);
  return right == floats_;
}

double LinkProbe::bytes_per_second(int from, int to) {
  std::array<double, timed_batches> rates;
  transfer(from, to, floats_);  // warm-up
  for (double& rate : rates) {
    meet(from, to);
    const Stopwatch watch;
    for (int i = 0; i < transfers_; ++i) transfer(from, to, floats_);
    stream_->synchronize();
    rate = static_cast<double>(transfers_) * static_cast<double>(payload_.bytes()) / watch.seconds();
  }
  return communicator_.rank() == to ? median(rates) : std::numeric_limits<double>::quiet_NaN();
}

double LinkProbe::latency_seconds(int from, int to) {
  std::array<double, timed_batches> latencies;
  const auto ping_pong = [&](int count) {
    for (int i = 0; i < count; ++i) {
      transfer(from, to, 1);
      transfer(to, from, 1);
    }
    stream_->synchronize();
  };
  ping_pong(warmup_round_trips);
  for (double& latency : latencies) {
    meet(from, to);
    const Stopwatch watch;
    ping_pong(trips_of_batch);
    latency = watch.seconds() / (2.0 * trips_of_batch);
  }
  return median(latencies);
}

}  // namespace breakeven
