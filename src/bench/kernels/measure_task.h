// SPDX-License-Identifier: Apache-2.0
// Times every candidate for one product, in rounds. A round gives the operands new numbers, then measures and
// checks each candidate once, in its own random order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "src/bench/kernels/gemm_task.h"
#include "src/bench/kernels/operands.h"

namespace breakeven::bench {

struct BenchProtocol {
  std::uint32_t rounds = 7;
  std::uint64_t seed = 42;
};

// Durations and sizes that suit the clocks and caches of a kind of device.
struct BenchSizes {
  double warm_seconds;         // approximate duration of a warm series of launches
  int most_launches;           // in a warm series
  double slow_launch_seconds;  // a slower kernel is measured in one round, with one launch
  double long_launch_seconds;  // so is a kernel slower than this, if others are many times faster
  std::size_t cold_bytes;      // read before a cold series: several times the last-level cache
  std::size_t operand_bytes;   // of all sets of a product's operands
};
BenchSizes bench_sizes(const DeviceInfo& info);

// Whether a kernel is measured in one round, with one launch; otherwise the slowest kernels would take most
// of the time. `fastest_seconds` is that of all kernels for the product in the same precision.
bool is_slow(double seconds, double fastest_seconds, const BenchSizes& sizes);

// By round. Seconds are of one launch.
struct Measured {
  Candidate candidate;
  int launches = 0;                  // in a warm series
  std::vector<double> warm_seconds;  // the previous launch used the same operands
  std::vector<double> cold_seconds;  // the operands are in no cache
  std::vector<double> errors;        // relative Frobenius, against float64
};

class TaskBench {
 public:
  TaskBench(Device& device, Stream& stream, const BenchProtocol& protocol);

  // In the candidates' order.
  std::vector<Measured> measure(const GemmTask& task, std::span<const Candidate> candidates,
                                std::uint32_t rounds);

 private:
  Device& device_;
  Stream& stream_;
  BenchProtocol protocol_;
  BenchSizes sizes_;
  Buffer scratch_;  // read to empty the caches
  Buffer sum_;
  Buffer state_;
  std::uint64_t tasks_ = 0;  // measured so far; gives every round other numbers
};

}  // namespace breakeven::bench
