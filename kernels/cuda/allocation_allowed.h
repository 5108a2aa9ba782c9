// SPDX-License-Identifier: Apache-2.0
// Allows memory that a library or a stream allocates at first use, even during graph capture.
#pragma once

#include "kernels/cuda/cuda_check.h"

namespace breakeven {

// While it exists, this thread may allocate although it captures a graph: scratch memory that outlives the
// graph and does not belong to it.
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
