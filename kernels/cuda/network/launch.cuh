// SPDX-License-Identifier: Apache-2.0
// Launches a small network's kernels, and reads data that change from step to step.
#pragma once

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/network/arguments.cuh"
#include "kernels/cuda/quad.cuh"

namespace breakeven {

struct KernelShape {
  dim3 grid;
  int threads;
  std::size_t shared_bytes;
  int cluster_blocks = 1;
};

// launch_early (launch_order.cuh) with shared memory and clusters. `name` is for error messages.
class KernelLaunch {
 public:
  template <typename Kernel>
  KernelLaunch(Kernel* kernel, const char* name, const KernelShape& shape, const CudaStream& stream) {
    CUDA_CALL(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(shape.shared_bytes)),
              name, shape.shared_bytes);
    // All kernels use the same carve-out of shared memory: it can change only when nothing runs on a
    // multiprocessor.
    CUDA_CALL(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                   cudaSharedmemCarveoutMaxShared),
              name);
    config_.gridDim = shape.grid;
    config_.blockDim = static_cast<unsigned>(shape.threads);
    config_.dynamicSmemBytes = shape.shared_bytes;
    config_.stream = stream.raw();
    config_.attrs = attributes_;
    if (stream.launches_early()) {
      cudaLaunchAttribute& early = attributes_[config_.numAttrs++];
      early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      early.val.programmaticStreamSerializationAllowed = 1;
    }
    if (shape.cluster_blocks == 1) return;
    CUDA_CALL(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), name);
    cudaLaunchAttribute& cluster = attributes_[config_.numAttrs++];
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(shape.cluster_blocks), 1, 1};
  }
  KernelLaunch(const KernelLaunch&) = delete;
  KernelLaunch& operator=(const KernelLaunch&) = delete;

  const cudaLaunchConfig_t& config() const { return config_; }

 private:
  cudaLaunchAttribute attributes_[2] = {};
  cudaLaunchConfig_t config_{};
};

template <typename... Parameters, typename... Arguments>
void launch_network_kernel(void (*kernel)(Parameters...), const char* name, const KernelShape& shape,
                           const CudaStream& stream, const Arguments&... arguments) {
  const KernelLaunch launch(kernel, name, shape, stream);
  CUDA_CALL(cudaLaunchKernelEx(&launch.config(), kernel, arguments...), name);
}

// Four floats that an earlier kernel may have changed: read from L2, because L1 may hold old values for a
// kernel that started early.
__device__ inline Quad load_changed_quad(const float* from) {
  const float4 value = __ldcg(reinterpret_cast<const float4*>(from));
  return {{value.x, value.y, value.z, value.w}};
}

// Four values as they are stored.
template <typename T>
__device__ StoredQuad<T> load_changed_stored(const T* from) {
  using Words = std::conditional_t<sizeof(T) == sizeof(float), float4, uint2>;
  const Words words = __ldcg(reinterpret_cast<const Words*>(from));
  return *reinterpret_cast<const StoredQuad<T>*>(&words);
}
template <typename T>
__device__ Quad load_changed_quad(const T* from) {
  const StoredQuad<T> stored = load_changed_stored(from);
  return load_quad(stored.unit);
}

// Four floats in one store.
__device__ inline void put_quad(float* to, const Quad& quad) {
  *reinterpret_cast<float4*>(to) = make_float4(quad.unit[0], quad.unit[1], quad.unit[2], quad.unit[3]);
}

}  // namespace breakeven
