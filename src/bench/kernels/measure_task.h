// SPDX-License-Identifier: Apache-2.0
// Times every candidate for one product, in rounds: a round gives the operands new numbers, then measures and
// checks each candidate once, in a random order of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "src/bench/kernels/gemm_task.h"
#include "src/bench/kernels/operands.h"

namespace breakeven {

struct BenchProtocol {
  std::uint32_t rounds = 7;
  std::uint64_t seed = 42;
};

// How long things are, so that clocks and caches behave; by the kind of device.
struct BenchSizes {
  double warm_seconds;         // about as long is a warm series of launches
  int most_launches;           // of it
  double slow_launch_seconds;  // a kernel beyond it is measured in one round, by one launch
  double long_launch_seconds;  // and beyond this one where others are many times as fast
  std::size_t cold_bytes;      // read before a cold series: several times the last cache
  std::size_t operand_bytes;   // for all sets of a product's operands
};
BenchSizes bench_sizes(const DeviceInfo& info);

// Whether one round of one launch must do: the lowest rungs would take most of the time otherwise. The
// fastest is that of all kernels for the product in the same precision.
bool is_slow(double seconds, double fastest_seconds, const BenchSizes& sizes);

// By round. Seconds are of one launch.
struct Measured {
  Candidate candidate;
  int launches = 0;                  // in a warm series
  std::vector<double> warm_seconds;  // the operands were used by the launch before
  std::vector<double> cold_seconds;  // they are in no cache
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
  Buffer scratch_;  // what is read to empty the caches
  Buffer sum_;
  Buffer state_;
  std::uint64_t tasks_ = 0;  // measured so far: no two rounds have the same numbers
};

}  // namespace breakeven
