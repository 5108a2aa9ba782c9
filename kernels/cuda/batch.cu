// SPDX-License-Identifier: Apache-2.0
// A step's rows of the data set, gathered by the shuffled order or taken from where the host has laid them.
#include <algorithm>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/quad.cuh"
#include "kernels/divided_up.h"
#include "kernels/sample_order.h"

namespace breakeven {
namespace {

constexpr int batch_threads = 1024;
constexpr std::int64_t most_rows_a_block = 4;

__host__ __device__ std::int64_t quads_of(const Matrix& matrix) { return (matrix.cols + 3) / 4; }

__device__ std::int64_t source_row(const BatchSource& source, std::uint32_t step, std::int64_t rows,
                                   std::int64_t row) {
  if (source.staged) return std::int64_t{step % 2} * rows + row;
  const std::uint64_t position =
      std::uint64_t{step} * source.global_batch + source.first_sample + static_cast<std::uint64_t>(row);
  return sample_at(source.seed, position, static_cast<std::uint32_t>(source.features.rows));
}

// Quad number `quad` of a row.
template <typename From, typename To>
__device__ void copy_quad(const ConstMatrix& from, std::int64_t from_row, const Matrix& to,
                          std::int64_t to_row, std::int64_t quad, bool vectorised) {
  const std::int64_t col = 4 * quad;
  store_quad(to.as<To>() + to_row * to.ld + col, to.cols - col, vectorised,
             load_quad(from.as<From>() + from_row * from.ld + col, to.cols - col, vectorised));
}

// A block has some whole rows, the features' quads before the targets'. No more blocks than multiprocessors
// where that makes few rows a block: all end at about the same time, and the next kernel's, which are brought
// onto the GPU meanwhile, find it evenly filled.
template <typename From, typename To>
__global__ __launch_bounds__(batch_threads) void load_batch_kernel(BatchSource source, const StepState* state,
                                                                   Matrix features, Matrix target,
                                                                   int rows_a_block, bool vectorised) {
  __shared__ std::int64_t from[most_rows_a_block];  // the walk through the permutation is long: once a row
  const std::int64_t first_row = std::int64_t{blockIdx.x} * rows_a_block;
  const auto rows = static_cast<int>(min(std::int64_t{rows_a_block}, features.rows - first_row));
  const int thread = static_cast<int>(threadIdx.x);
  start_after_predecessor();
  if (thread < rows) from[thread] = source_row(source, state->step, features.rows, first_row + thread);
  __syncthreads();
  const auto of_features = static_cast<int>(quads_of(features));
  const int of_row = of_features + static_cast<int>(quads_of(target));
#pragma unroll 2
  for (int i = thread; i < rows * of_row; i += batch_threads) {
    const int row = i / of_row;
    const int quad = i - row * of_row;
    if (quad < of_features) {
      copy_quad<From, To>(source.features, from[row], features, first_row + row, quad, vectorised);
    } else {
      copy_quad<float, float>(source.targets, from[row], target, first_row + row, quad - of_features,
                              vectorised);
    }
  }
}

}  // namespace

void CudaDevice::load_batch(const BatchSource& source, const StepState* state, Matrix features, Matrix target,
                            Stream& stream) {
  if (features.rows == 0) return;
  const bool vectorised =
      on_border(source.features) && on_border(source.targets) && on_border(features) && on_border(target);
  with_elements(source.features.element, features.element, [&](auto from_tag, auto to_tag) {
    using From = typename decltype(from_tag)::Type;
    using To = typename decltype(to_tag)::Type;
    const std::int64_t rows_a_block =
        std::min(divided_up(features.rows, info_.multiprocessors), most_rows_a_block);
    const dim3 grid(static_cast<unsigned>(divided_up(features.rows, rows_a_block)));
    launch_early(load_batch_kernel<From, To>, "load_batch_kernel", grid, batch_threads,
                 dynamic_cast<CudaStream&>(stream), source, state, features, target,
                 static_cast<int>(rows_a_block), vectorised);
  });
}

}  // namespace breakeven
