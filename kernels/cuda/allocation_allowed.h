// SPDX-License-Identifier: Apache-2.0
// Memory that a library or a stream makes at first use, even where that is inside a capture.
#pragma once

#include "kernels/cuda/cuda_check.h"

namespace breakeven {

// Within its life this thread may allocate although it is capturing a graph: what is allocated is scratch
// memory that outlives the graph and is no part of it.
class AllocationAllowed {
 public:
  AllocationAllowed() { CUDA_CALL(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  ~AllocationAllowed() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  AllocationAllowed(const AllocationAllowed&) = delete;  // restores the mode once
  AllocationAllowed& operator=(const AllocationAllowed&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;  // after the exchange: the mode to go back to
};

}  // namespace breakeven
