// SPDX-License-Identifier: Apache-2.0
// Streams and events of the CUDA device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/buffer.h"
#include "kernels/stream.h"
#include "src/core/handle.h"

namespace breakeven {

// Where the blocks of one reduction store their partial sums and count themselves. Each stream has its own,
// and the operations of a stream run one after another, so they never mix. A captured graph uses the scratch
// memory of the stream that it was captured on; replay it on that stream.
struct ReductionScratch {
  std::uint32_t* arrived;  // blocks that are done; 0 between reductions
  void* parts;
  std::size_t parts_bytes;
};

// The same for matrix products with split-k, and for sums that warps of a block pass to other warps
// (hopper_update.cuh).
struct GemmScratch {
  std::uint32_t* arrived;  // a counter for each tile; 0 between products
  std::int64_t counters;
  float* sums;
  std::size_t sums_bytes;
};

class CudaStream final : public Stream {
 public:
  explicit CudaStream(Device& device);
  ~CudaStream() override;  // waits for the work in flight, whose memory may be freed next

  void synchronize() override;
  void wait_for(Event& event) override;

  cudaStream_t raw() const { return raw_.get(); }
  bool launches_early() const;  // launch_order.cuh
  static constexpr std::size_t reduction_parts_bytes = std::size_t{1} << 20;
  ReductionScratch reduction_scratch() const;
  GemmScratch gemm_scratch();  // allocated at the first call
  // Of a matrix product that reads a transposed copy of an operand. Allocated at the first call.
  static constexpr std::size_t transposed_bytes = std::size_t{64} << 20;
  float* transposed_scratch();
  // cuBLAS's scratch memory on this stream: `bytes` as at the first call, which allocates it.
  void* cublas_workspace(std::size_t bytes);

 private:
  Device& device_;
  Handle<cudaStream_t, cudaStreamDestroy> raw_;
  Buffer reduction_;
  Buffer gemm_scratch_;
  Buffer transposed_scratch_;
  Buffer cublas_workspace_;
};

class CudaEvent final : public Event {
 public:
  CudaEvent();
  void record(Stream& stream) override;
  bool reached() const override;
  double seconds_since(const Event& earlier) const override;

  cudaEvent_t raw() const { return raw_.get(); }
  // A mark is an event that a captured graph records at each replay. Any other event recorded in a
  // capture only orders the captured work (a fork to another stream, or a join).
  void make_mark(bool is_mark) { is_mark_ = is_mark; }

 private:
  Handle<cudaEvent_t, cudaEventDestroy> raw_;
  bool is_mark_ = false;
};

// The CUDA stream behind a stream of a CudaDevice: for kernels, cuBLAS and NCCL.
cudaStream_t cuda_stream(Stream& stream);
cudaEvent_t cuda_event(const Event& event);

}  // namespace breakeven
