// SPDX-License-Identifier: Apache-2.0
// Gradient compression to int8, one scale per block.
#include "kernels/int8_compression.h"

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/flat.cuh"
#include "kernels/cuda/reduction.cuh"

namespace breakeven {
namespace {

constexpr int warps = flat_threads / 32;
constexpr int quads = int8_block / (4 * 32);  // per lane; one warp per block of values

struct LargerOrNan {
  __device__ float operator()(float a, float b) const { return larger_or_nan(a, b); }
};

// Four 8-bit numbers are one word: they begin at a multiple of four bytes, and quads are counted from the
// first value. Bytes after the last number are zero.
__device__ void encode_quad(float scale, Quad& values, std::uint32_t* codes) {
  std::uint32_t word = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const std::int8_t code = int8_encoded(values.unit[j], scale);
    word |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(code)) << (8 * j);
    values.unit[j] -= int8_decoded(code, scale);
  }
  *codes = word;
}

__global__ __launch_bounds__(flat_threads) void encode_int8_kernel(std::int64_t count, std::int64_t blocks,
                                                                   float* values, float* message,
                                                                   bool vectorised) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  auto* const codes = reinterpret_cast<std::uint32_t*>(message + blocks);
  for (std::int64_t block = std::int64_t{blockIdx.x} * warps + threadIdx.x / 32; block < blocks;
       block += std::int64_t{gridDim.x} * warps) {
    Quad quad[quads];
    float largest = 0;
#pragma unroll
    for (int q = 0; q < quads; ++q) {
      const std::int64_t i = block * int8_block + 4 * (q * 32 + lane);
      quad[q] = load_quad(values + i, count - i, vectorised);
#pragma unroll
      for (int j = 0; j < 4; ++j) largest = larger_or_nan(largest, fabsf(quad[q].unit[j]));
    }
    const float scale = int8_scale(warp_reduce(largest, LargerOrNan{}));
    if (lane == 0) message[block] = scale;
#pragma unroll
    for (int q = 0; q < quads; ++q) {
      const std::int64_t i = block * int8_block + 4 * (q * 32 + lane);
      if (i >= count) continue;
      encode_quad(scale, quad[q], codes + i / 4);
      store_quad(values + i, count - i, vectorised, quad[q]);
    }
  }
}

__global__ __launch_bounds__(flat_threads) void sum_int8_kernel(std::int64_t count, std::int64_t blocks,
                                                                Messages messages, float* sum,
                                                                bool vectorised) {
  for (std::int64_t i = first_place(); i < count; i += place_stride()) {
    Quad total{};
    for (int rank = 0; rank < messages.ranks; ++rank) {
      const float* const message = messages.of(rank);
      const std::uint32_t word = reinterpret_cast<const std::uint32_t*>(message + blocks)[i / 4];
      const float scale = message[i / int8_block];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        total.unit[j] += int8_decoded(static_cast<std::int8_t>(word >> (8 * j) & 0xFFu), scale);
      }
    }
    store_quad(sum + i, count - i, vectorised, total);
  }
}

}  // namespace

void CudaDevice::encode_int8(std::size_t count, float* values, float* message, Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  const auto blocks = static_cast<std::int64_t>(int8_blocks(count));
  encode_int8_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
      floats, blocks, values, message, on_border(values));
  CHECK_LAUNCH("encode_int8_kernel", floats);
}

void CudaDevice::sum_int8(std::size_t count, const Messages& messages, float* sum, Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  const auto blocks = static_cast<std::int64_t>(int8_blocks(count));
  sum_int8_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
      floats, blocks, messages, sum, on_border(sum));
  CHECK_LAUNCH("sum_int8_kernel", floats, messages.ranks);
}

}  // namespace breakeven
