// SPDX-License-Identifier: Apache-2.0
// Memory, streams and graphs of a GPU.
#include "kernels/cuda/cuda_device.h"

#include <cstring>
#include <string>

#include "kernels/cuda/allocation_allowed.h"
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_graph.h"
#include "src/core/failure.h"

namespace breakeven {
CudaDevice::CudaDevice(int gpu) {
  CUDA_CALL(cudaSetDevice(gpu));
  info_ = describe_gpu(gpu);
  list_gemm_kernels();
  CUDA_CALL(cudaStreamCreateWithFlags(setup_stream_.out(), cudaStreamNonBlocking));
}

std::unique_ptr<Device> make_cuda_device(int gpu) {
  const int visible = visible_gpus();
  if (gpu < 0 || gpu >= visible) {
    throw failed_call(
        "make_cuda_device", __FILE__, __LINE__, "no such GPU",
        "GPU " + std::to_string(gpu) + " was asked for, " + std::to_string(visible) + " are visible");
  }
  return std::make_unique<CudaDevice>(gpu);
}

void* CudaDevice::allocate(std::size_t bytes, bool pinned, std::string_view purpose) {
  if (bytes == 0) return nullptr;
  const AllocationAllowed allowed;
  void* data = nullptr;
  if (pinned) {
    CUDA_CALL(cudaHostAlloc(&data, bytes, cudaHostAllocDefault), purpose, bytes);
    std::memset(data, 0, bytes);
    return data;
  }
  CUDA_CALL(cudaMalloc(&data, bytes), purpose, bytes);
  count_allocation(bytes);
  CUDA_CALL(cudaMemsetAsync(data, 0, bytes, setup_stream_.get()), purpose, bytes);
  CUDA_CALL(cudaStreamSynchronize(setup_stream_.get()), purpose,
            bytes);  // zero before any stream can read it
  return data;
}

void CudaDevice::release(void* data, std::size_t bytes, bool pinned) noexcept {
  if (data == nullptr) return;
  if (pinned) {
    cudaFreeHost(data);
  } else {
    cudaFree(data);
    count_release(bytes);
  }
}

void CudaDevice::copy(void* to, const void* from, std::size_t bytes, Stream& stream) {
  if (bytes == 0) return;
  CUDA_CALL(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, cuda_stream(stream)), "copy", bytes);
}

void CudaDevice::fill_zero(void* data, std::size_t bytes, Stream& stream) {
  if (bytes == 0) return;
  CUDA_CALL(cudaMemsetAsync(data, 0, bytes, cuda_stream(stream)), "zero fill", bytes);
}

std::unique_ptr<Stream> CudaDevice::make_stream() { return std::make_unique<CudaStream>(*this); }

std::unique_ptr<Event> CudaDevice::make_event() { return std::make_unique<CudaEvent>(); }

std::unique_ptr<Graph> CudaDevice::capture(GraphBody body, std::span<Event* const> marks, Stream& stream) {
  return std::make_unique<CudaGraph>(body, marks, dynamic_cast<CudaStream&>(stream));
}

}  // namespace breakeven
