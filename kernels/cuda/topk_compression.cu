// SPDX-License-Identifier: Apache-2.0
// Top-k gradient compression: the values of largest magnitude and their indices.
//
// A radix select on the bits of the magnitudes, whose order is that of the magnitudes, NaN above infinity.
// Each of three passes counts the candidates by their next bits, and keeps those that share the bits of the
// smallest selected one. Then each block knows how many selected values precede its part, and writes its own
// in order.
#include <cub/block/block_scan.cuh>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/flat.cuh"
#include "kernels/cuda/reduction.cuh"

namespace breakeven {
namespace {

constexpr int passes = 3;
constexpr int most_bins = 2048;
constexpr unsigned most_parts = 1024;
constexpr int part_warps = flat_threads / 32;
constexpr std::int64_t tile = 4 * flat_threads;

// The 31 bits of a magnitude: 11, 10 and 10.
__host__ __device__ constexpr int bits_of(int pass) { return pass == 0 ? 11 : 10; }
__host__ __device__ constexpr int shift_of(int pass) { return pass == 0 ? 20 : pass == 1 ? 10 : 0; }

// In the stream's scratch memory for reductions.
struct Selection {
  std::uint32_t bins[passes][most_bins];
  std::uint32_t smallest;  // the known bits of the smallest selected magnitude
  std::uint32_t wanted;    // how many values with these bits are selected
  std::uint32_t larger[most_parts];
  std::uint32_t equal[most_parts];
};

__device__ std::uint32_t magnitude_bits(float value) { return __float_as_uint(value) & 0x7FFFFFFFu; }

__global__ void begin_kernel(std::uint32_t chosen, Selection* selection) {
  for (int bin = static_cast<int>(threadIdx.x); bin < passes * most_bins; bin += flat_threads) {
    selection->bins[bin / most_bins][bin % most_bins] = 0;
  }
  if (threadIdx.x == 0) {
    selection->smallest = 0;
    selection->wanted = chosen;
  }
}

template <int pass>
__global__ __launch_bounds__(flat_threads) void count_bins_kernel(std::int64_t count, const float* values,
                                                                  bool vectorised, Selection* selection) {
  constexpr int bins = 1 << bits_of(pass);
  __shared__ std::uint32_t of_block[bins];
  for (int bin = static_cast<int>(threadIdx.x); bin < bins; bin += flat_threads) of_block[bin] = 0;
  __syncthreads();
  const std::uint32_t known = selection->smallest;
  for (std::int64_t i = first_place(); i < count; i += place_stride()) {
    const Quad quad = load_quad(values + i, count - i, vectorised);
    for (int j = 0; j < 4 && i + j < count; ++j) {
      const std::uint32_t magnitude = magnitude_bits(quad.unit[j]);
      const bool is_candidate = pass == 0 || magnitude >> (shift_of(pass) + bits_of(pass)) == known;
      if (is_candidate) atomicAdd(&of_block[magnitude >> shift_of(pass) & (bins - 1)], 1u);
    }
  }
  __syncthreads();
  for (int bin = static_cast<int>(threadIdx.x); bin < bins; bin += flat_threads) {
    if (of_block[bin] != 0) atomicAdd(&selection->bins[pass][bin], of_block[bin]);
  }
}

// One warp, from the largest bin down: each lane has consecutive bins.
template <int pass>
__global__ void choose_bin_kernel(Selection* selection) {
  constexpr int bins = 1 << bits_of(pass);
  constexpr int stretch = bins / 32;
  const std::uint32_t wanted = selection->wanted;
  const int last = bins - 1 - static_cast<int>(threadIdx.x) * stretch;  // lane 0 has the largest
  std::uint32_t mine = 0;
#pragma unroll
  for (int b = 0; b < stretch; ++b) mine += selection->bins[pass][last - b];
  std::uint32_t before = mine;
  for (int distance = 1; distance < 32; distance *= 2) {
    const std::uint32_t of_other = __shfl_up_sync(0xFFFFFFFFu, before, distance);
    if (static_cast<int>(threadIdx.x) >= distance) before += of_other;
  }
  before -= mine;  // candidates in larger bins than this lane's
  __syncwarp();    // all lanes have read what one of them is about to write
  if (!(before < wanted && wanted <= before + mine)) return;
  int bin = last;
  for (; before + selection->bins[pass][bin] < wanted; --bin) before += selection->bins[pass][bin];
  selection->smallest = selection->smallest << bits_of(pass) | static_cast<std::uint32_t>(bin);
  selection->wanted = wanted - before;
}

// Consecutive values, in whole tiles.
struct Part {
  std::int64_t first;
  std::int64_t end;
};

__device__ Part part_of_block(std::int64_t count) {
  const std::int64_t tiles = (count + tile - 1) / tile;
  const std::int64_t length = (tiles + gridDim.x - 1) / gridDim.x * tile;
  const std::int64_t first = blockIdx.x * length;
  return {first, first + length < count ? first + length : count};
}

// Both counts in one number, which a tile cannot overflow: larger values in the upper half, equal ones in the
// lower.
__device__ std::uint32_t counted(float value, std::uint32_t smallest) {
  const std::uint32_t magnitude = magnitude_bits(value);
  return magnitude > smallest ? 0x10000u : magnitude == smallest ? 1u : 0u;
}

__global__ __launch_bounds__(flat_threads) void count_parts_kernel(std::int64_t count, const float* values,
                                                                   Selection* selection) {
  const std::uint32_t smallest = selection->smallest;
  const Part part = part_of_block(count);
  std::uint32_t larger = 0;
  std::uint32_t equal = 0;
  for (std::int64_t i = part.first + threadIdx.x; i < part.end; i += flat_threads) {
    const std::uint32_t both = counted(values[i], smallest);
    larger += both >> 16;
    equal += both & 0xFFFFu;
  }
  larger = block_reduce<part_warps>(larger, Add{});
  equal = block_reduce<part_warps>(equal, Add{});
  if (threadIdx.x != 0) return;
  selection->larger[blockIdx.x] = larger;
  selection->equal[blockIdx.x] = equal;
}

__global__ __launch_bounds__(flat_threads) void write_chosen_kernel(std::int64_t count, float* values,
                                                                    const Selection* selection,
                                                                    std::uint32_t* places,
                                                                    float* chosen_values) {
  using Scan = cub::BlockScan<std::uint32_t, flat_threads>;
  __shared__ typename Scan::TempStorage scratch;
  const std::uint32_t smallest = selection->smallest;
  const std::uint32_t wanted = selection->wanted;
  std::uint32_t larger = 0;
  std::uint32_t equal = 0;
  for (unsigned block = threadIdx.x; block < blockIdx.x; block += flat_threads) {
    larger += selection->larger[block];
    equal += selection->equal[block];
  }
  larger =
      block_reduce<part_warps>(larger, Add{});  // before this block's part, then before each of its tiles
  equal = block_reduce<part_warps>(equal, Add{});
  const Part part = part_of_block(count);
  for (std::int64_t first = part.first; first < part.end; first += tile) {
    const std::int64_t mine = first + 4 * threadIdx.x;
    std::uint32_t both[4] = {};
    for (int j = 0; j < 4 && mine + j < part.end; ++j) both[j] = counted(values[mine + j], smallest);
    std::uint32_t before[4];
    std::uint32_t of_tile = 0;
    Scan(scratch).ExclusiveSum(both, before, of_tile);
    for (int j = 0; j < 4; ++j) {
      const std::uint32_t equal_before = equal + (before[j] & 0xFFFFu);
      const bool is_chosen = both[j] >= 0x10000u || (both[j] == 1 && equal_before < wanted);
      if (!is_chosen) continue;
      const std::uint32_t place = larger + (before[j] >> 16) + min(equal_before, wanted);
      places[place] = static_cast<std::uint32_t>(mine + j);
      chosen_values[place] = values[mine + j];
      values[mine + j] = 0;
    }
    larger += of_tile >> 16;
    equal += of_tile & 0xFFFFu;
    __syncthreads();  // the scan's memory is reused
  }
}

// An index occurs once per message, so no two threads write the same value.
__global__ __launch_bounds__(flat_threads) void add_chosen_kernel(std::uint32_t chosen,
                                                                  const std::uint32_t* places,
                                                                  const float* values, float* sum) {
  const std::uint32_t i = blockIdx.x * flat_threads + threadIdx.x;
  if (i < chosen) sum[places[i]] += values[i];
}

template <int pass>
void narrow(std::int64_t count, const float* values, unsigned blocks, Selection* selection,
            cudaStream_t stream) {
  count_bins_kernel<pass><<<blocks, flat_threads, 0, stream>>>(count, values, on_border(values), selection);
  CHECK_LAUNCH("count_bins_kernel", pass, count);
  choose_bin_kernel<pass><<<1, 32, 0, stream>>>(selection);
  CHECK_LAUNCH("choose_bin_kernel", pass);
}

}  // namespace

void CudaDevice::encode_topk(std::size_t count, std::size_t chosen, float* values, float* message,
                             Stream& stream) {
  const auto floats = static_cast<std::int64_t>(count);
  const auto wanted = static_cast<std::uint32_t>(chosen);
  const ReductionScratch scratch = reduction_scratch(stream);
  auto* const selection = static_cast<Selection*>(scratch.parts);
  const unsigned blocks = flat_blocks(floats, info_);
  const cudaStream_t raw = cuda_stream(stream);
  begin_kernel<<<1, flat_threads, 0, raw>>>(wanted, selection);
  CHECK_LAUNCH("begin_kernel", wanted);
  narrow<0>(floats, values, blocks, selection, raw);
  narrow<1>(floats, values, blocks, selection, raw);
  narrow<2>(floats, values, blocks, selection, raw);
  const unsigned parts = blocks_for(floats, tile, most_parts);
  count_parts_kernel<<<parts, flat_threads, 0, raw>>>(floats, values, selection);
  CHECK_LAUNCH("count_parts_kernel", floats);
  write_chosen_kernel<<<parts, flat_threads, 0, raw>>>(
      floats, values, selection, reinterpret_cast<std::uint32_t*>(message), message + chosen);
  CHECK_LAUNCH("write_chosen_kernel", floats, wanted);
}

void CudaDevice::sum_topk(std::size_t count, std::size_t chosen, const Messages& messages, float* sum,
                          Stream& stream) {
  fill_zero(sum, count * sizeof(float), stream);
  const auto added = static_cast<std::uint32_t>(chosen);
  const auto blocks = (added + flat_threads - 1) / flat_threads;
  for (int rank = 0; rank < messages.ranks; ++rank) {
    const float* const message = messages.of(rank);
    add_chosen_kernel<<<blocks, flat_threads, 0, cuda_stream(stream)>>>(
        added, reinterpret_cast<const std::uint32_t*>(message), message + chosen, sum);
    CHECK_LAUNCH("add_chosen_kernel", added, rank);
  }
}

}  // namespace breakeven
