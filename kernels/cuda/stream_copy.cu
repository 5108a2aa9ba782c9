// SPDX-License-Identifier: Apache-2.0
// Copies a flat buffer as fast as a kernel can: the copy of BabelStream (Deakin, Price, Martineau and
// McIntosh-Smith, "GPU-STREAM v2.0", ISC 2016 workshops).
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/flat.cuh"

namespace breakeven {
namespace {

// Two loads of each thread are under way before its first store. The last, odd quads are copied one by one,
// and what is no whole quad by single floats: all of a buffer that is not aligned, which has 0 `quads`. The
// bound on registers lets the whole grid of flat_blocks() run at once.
__global__ __launch_bounds__(flat_threads, flat_blocks_of_multiprocessor) void stream_copy_kernel(
    std::int64_t count, std::int64_t quads, const float* values, float* copied) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * flat_threads + threadIdx.x;
  const std::int64_t threads = std::int64_t{gridDim.x} * flat_threads;
  const auto* from = reinterpret_cast<const float4*>(values);
  auto* to = reinterpret_cast<float4*>(copied);
  std::int64_t i = thread;
  for (; i + threads < quads; i += 2 * threads) {
    const float4 first = __ldcs(from + i);  // read once: no cache need keep it
    const float4 second = __ldcs(from + i + threads);
    __stcs(to + i, first);
    __stcs(to + i + threads, second);
  }
  if (i < quads) to[i] = from[i];
  for (std::int64_t single = 4 * quads + thread; single < count; single += threads)
    copied[single] = values[single];
}

}  // namespace

void CudaDevice::stream_copy(std::size_t count, const float* values, float* copied, Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  const std::int64_t quads = on_border(values) && on_border(copied) ? floats / 4 : 0;
  stream_copy_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(floats, quads,
                                                                                           values, copied);
  CHECK_LAUNCH("stream_copy_kernel", floats);
}

}  // namespace breakeven
