// SPDX-License-Identifier: Apache-2.0
// The matrices of one product on the device: random, in every dtype that is needed. There are several sets,
// so that a kernel can get operands that are in no cache.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "src/bench/kernels/gemm_task.h"

namespace breakeven::bench {

// A kernel in a precision, with or without bias and ReLU in the same launch.
struct Candidate {
  Precision precision;
  GemmVariant variant;
  bool fused = false;  // layout nt only
  bool operator==(const Candidate&) const = default;
};

bool has_kernel(const Device& device, Precision precision, GemmKernel kernel);

// Keys of the random numbers (Device::fill_uniform), all uniform in (-1, 1).
enum class OperandKey : std::uint32_t { a, b, bias };

class Operands {
 public:
  // In the dtypes of `precisions`. As many sets as fit into `room_bytes`, from 1 to `most_sets`.
  Operands(Device& device, Stream& stream, const GemmTask& task, std::span<const Precision> precisions,
           std::size_t room_bytes);

  int sets() const { return sets_; }

  // Gives all sets the same new numbers.
  void randomize(std::uint64_t seed);

  Product product(const Candidate& candidate, int set) const;

  // Zeros set 0, so that elements that a kernel leaves out are not those of another kernel.
  void clear_result();
  // The given rows of the result in set 0, as stored. Waits for the stream.
  std::vector<std::vector<float>> read_rows(const Candidate& candidate, std::span<const std::int64_t> rows);

 private:
  // One matrix in one dtype: `sets` copies, each `stride` bytes behind the one before.
  struct Place {
    Buffer memory;
    std::size_t stride = 0;
  };
  Place allocate(const StoredShape& shape, Dtype dtype, int sets) const;
  ConstMatrix matrix(const Place& place, const StoredShape& shape, Dtype dtype, int set) const;
  void fill(std::array<Place, dtypes.size()>& places, const StoredShape& shape, OperandKey key,
            std::uint64_t seed);
  Matrix result(const Candidate& candidate, int set) const;

  Device& device_;
  Stream& stream_;
  GemmTask task_;
  int sets_ = 1;
  // By Dtype. Values in fp32 always exist, in at least one set.
  std::array<bool, dtypes.size()> used_{};
  std::array<Place, dtypes.size()> a_, b_;
  Place c_;
  Buffer bias_;
  Buffer state_;  // of a first step, in which the loss is not scaled
};

}  // namespace breakeven::bench
