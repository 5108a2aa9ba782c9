// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_stream.h"

#include <limits>

#include "kernels/cuda/cuda_check.h"
#include "kernels/device.h"

namespace breakeven {
namespace {

// The counter has the first cache line to itself; the partial sums of the largest reduction follow.
constexpr std::size_t counter_bytes = 128;

// The sums of a 128 x 256 tile for each of 144 multiprocessors, as many as the largest GPUs have: more than
// all blocks that run at once need.
constexpr std::int64_t gemm_counters = 1024;
constexpr std::size_t gemm_counters_bytes = gemm_counters * sizeof(std::uint32_t);
constexpr std::size_t gemm_sums_bytes = std::size_t{18} << 20;

}  // namespace

CudaStream::CudaStream(Device& device)
    : device_(device), reduction_(device, counter_bytes + reduction_parts_bytes, false, "reduction scratch") {
  // Non-blocking, so the legacy default stream, which libraries may use, does not synchronize with it.
  CUDA_CALL(cudaStreamCreateWithFlags(raw_.out(), cudaStreamNonBlocking));
}

CudaStream::~CudaStream() { cudaStreamSynchronize(raw_.get()); }

void CudaStream::synchronize() { CUDA_CALL(cudaStreamSynchronize(raw_.get())); }

void CudaStream::wait_for(Event& event) { CUDA_CALL(cudaStreamWaitEvent(raw_.get(), cuda_event(event), 0)); }

bool CudaStream::launches_early() const { return device_.info().compute_capability >= 90; }

ReductionScratch CudaStream::reduction_scratch() const {
  return {reduction_.as<std::uint32_t>(), reduction_.as<std::byte>() + counter_bytes, reduction_parts_bytes};
}

GemmScratch CudaStream::gemm_scratch() {
  if (gemm_scratch_.bytes() == 0) {
    gemm_scratch_ = Buffer(device_, gemm_counters_bytes + gemm_sums_bytes, false, "gemm scratch");
  }
  return {gemm_scratch_.as<std::uint32_t>(), gemm_counters, gemm_scratch_.as<float>() + gemm_counters,
          gemm_sums_bytes};
}

float* CudaStream::transposed_scratch() {
  if (transposed_scratch_.bytes() == 0)
    transposed_scratch_ = Buffer(device_, transposed_bytes, false, "transposed operand");
  return transposed_scratch_.as<float>();
}

void* CudaStream::cublas_workspace(std::size_t bytes) {
  if (cublas_workspace_.bytes() == 0) cublas_workspace_ = Buffer(device_, bytes, false, "cuBLAS workspace");
  return cublas_workspace_.as<void>();
}

CudaEvent::CudaEvent() { CUDA_CALL(cudaEventCreateWithFlags(raw_.out(), cudaEventDefault)); }

void CudaEvent::record(Stream& stream) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (is_mark_) CUDA_CALL(cudaStreamIsCapturing(cuda_stream(stream), &capture));
  const bool recorded_at_replay = capture == cudaStreamCaptureStatusActive;
  CUDA_CALL(cudaEventRecordWithFlags(raw_.get(), cuda_stream(stream),
                                     recorded_at_replay ? cudaEventRecordExternal : cudaEventRecordDefault));
}

bool CudaEvent::reached() const {
  const cudaError_t state = cudaEventQuery(raw_.get());
  if (state == cudaErrorNotReady) {
    cudaGetLastError();  // clears "not ready", so the next launch check does not find it
    return false;
  }
  check_cuda(state, "cudaEventQuery", __FILE__, __LINE__, "the work before an event");
  return true;
}

// NaN if one of the two was never recorded, which CUDA reports by this error.
double CudaEvent::seconds_since(const Event& earlier) const {
  float milliseconds = 0;
  const cudaError_t result = cudaEventElapsedTime(&milliseconds, cuda_event(earlier), raw_.get());
  if (result == cudaErrorInvalidResourceHandle) {
    cudaGetLastError();
    return std::numeric_limits<double>::quiet_NaN();
  }
  check_cuda(result, "cudaEventElapsedTime", __FILE__, __LINE__, "the time between two events");
  return 1e-3 * static_cast<double>(milliseconds);
}

cudaStream_t cuda_stream(Stream& stream) { return dynamic_cast<CudaStream&>(stream).raw(); }

cudaEvent_t cuda_event(const Event& event) { return dynamic_cast<const CudaEvent&>(event).raw(); }

}  // namespace breakeven
