// SPDX-License-Identifier: Apache-2.0
// The bias of a layer, forward and backward.
#include <algorithm>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/loss_scale.cuh"
#include "kernels/cuda/quad.cuh"
#include "kernels/cuda/reduction.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

template <typename T>
__global__ void add_bias_kernel(const float* bias, Matrix y, bool vectorised) {
  const std::int64_t col = quad_col();
  if (col >= y.cols) return;
  const std::int64_t left = y.cols - col;
  const Quad offset = load_quad(bias + col, left, vectorised);
  for (std::int64_t row = quad_row(); row < y.rows; row += quad_rows()) {
    T* place = y.as<T>() + row * y.ld + col;
    Quad value = load_quad(place, left, vectorised);
#pragma unroll
    for (int i = 0; i < 4; ++i) value.unit[i] += offset.unit[i];
    store_quad(place, left, vectorised, value);
  }
}

// sums[blockIdx.y][col] = sum of `col` over the block's `chunk` of rows, for 32 columns per block; divided by
// the loss scale if a state is given. Lane (x, y) adds every 32nd row of column x; then warp y adds the 32
// results of column y.
template <typename T>
__global__ void column_sums_kernel(ConstMatrix values, std::int64_t chunk, const StepState* state,
                                   float* sums) {
  __shared__ float of_lane[32][32 + 1];  // padded against bank conflicts
  const std::int64_t first_col = std::int64_t{blockIdx.x} * 32;
  const std::int64_t first_row = std::int64_t{blockIdx.y} * chunk;
  const std::int64_t end_row = min(first_row + chunk, values.rows);
  const std::int64_t col = first_col + threadIdx.x;
  float sum = 0;
  if (col < values.cols) {
    for (std::int64_t row = first_row + threadIdx.y; row < end_row; row += 32) {
      sum += to_float(values.as<T>()[row * values.ld + col]);
    }
  }
  of_lane[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  const float total = warp_reduce(of_lane[threadIdx.x][threadIdx.y], Add{});
  const std::int64_t summed_col = first_col + threadIdx.y;
  if (threadIdx.x != 0 || summed_col >= values.cols) return;
  const float scale = state == nullptr ? 1.0f : inverse_loss_scale(*state);
  sums[blockIdx.y * values.cols + summed_col] = total * scale;
}

void column_sums(const ConstMatrix& values, std::int64_t chunks, std::int64_t chunk, const StepState* state,
                 float* sums, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((values.cols + 31) / 32), static_cast<unsigned>(chunks));
  with_dtype(values.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    column_sums_kernel<T><<<grid, dim3(32, 32), 0, stream>>>(values, chunk, state, sums);
  });
  CHECK_LAUNCH("column_sums_kernel", values.rows, values.cols);
}

}  // namespace

void CudaDevice::add_bias(const float* bias, Matrix y, Stream& stream) {
  if (y.rows == 0 || y.cols == 0) return;
  with_dtype(y.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    add_bias_kernel<T><<<quad_grid(y.rows, y.cols), quad_block(), 0, cuda_stream(stream)>>>(
        bias, y, on_border(bias) && on_border(y));
  });
  CHECK_LAUNCH("add_bias_kernel", y.rows, y.cols);
}

// Few rows: one pass. Many rows: first chunks of rows, so narrow layers fill the GPU too; then the sums of
// the chunks.
void CudaDevice::bias_gradient(ConstMatrix dy, const StepState* state, float* db, Stream& stream) {
  if (dy.cols == 0) return;
  constexpr std::int64_t rows_in_one_pass = 1024;
  const ReductionScratch scratch = reduction_scratch(stream);
  const auto room = static_cast<std::int64_t>(scratch.parts_bytes / sizeof(float));
  const std::int64_t most_chunks = std::clamp<std::int64_t>(room / dy.cols, 1, rows_in_one_pass);
  const std::int64_t wanted_chunks = std::max<std::int64_t>(1, ceil_div(dy.rows, rows_in_one_pass));
  const std::int64_t chunk = ceil_div(dy.rows, std::min(wanted_chunks, most_chunks));
  const std::int64_t chunks = chunk == 0 ? 1 : ceil_div(dy.rows, chunk);
  if (chunks == 1) {
    column_sums(dy, 1, dy.rows, state, db, cuda_stream(stream));
    return;
  }
  auto* parts = static_cast<float*>(scratch.parts);
  column_sums(dy, chunks, chunk, nullptr, parts, cuda_stream(stream));
  column_sums({parts, chunks, dy.cols, dy.cols}, 1, chunks, state, db, cuda_stream(stream));
}

}  // namespace breakeven
