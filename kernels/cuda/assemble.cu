// SPDX-License-Identifier: Apache-2.0
// A small buffer from parts of others, in one launch instead of a fill and a copy for each part.
#include <algorithm>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/flat.cuh"

namespace breakeven {
namespace {

constexpr std::size_t most_parts = 32;

struct Parts {
  FloatsPart part[most_parts];
  int count;
};

__global__ __launch_bounds__(flat_threads) void assemble_kernel(std::size_t count,
                                                                const __grid_constant__ Parts parts,
                                                                float* whole) {
  const std::size_t stride = std::size_t{gridDim.x} * flat_threads;
  for (std::size_t i = std::size_t{blockIdx.x} * flat_threads + threadIdx.x; i < count; i += stride) {
    float value = 0;
    for (int p = 0; p < parts.count; ++p) {
      const FloatsPart& part = parts.part[p];
      if (i >= part.begin && i - part.begin < part.count) value = part.from[i - part.begin];
    }
    whole[i] = value;
  }
}

}  // namespace

void CudaDevice::assemble(std::span<const FloatsPart> parts, std::span<float> whole, Stream& stream) {
  if (whole.empty()) return;
  const std::size_t at_once = std::min(parts.size(), most_parts);
  Parts first{.part = {}, .count = static_cast<int>(at_once)};
  std::copy_n(parts.begin(), at_once, first.part);
  const auto floats = static_cast<std::int64_t>(whole.size());
  assemble_kernel<<<flat_blocks(4 * floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
      whole.size(), first, whole.data());
  CHECK_LAUNCH("assemble_kernel", floats);
  for (const FloatsPart& part : parts.subspan(at_once))
    copy(whole.data() + part.begin, part.from, part.count * sizeof(float), stream);
}

}  // namespace breakeven
