// SPDX-License-Identifier: Apache-2.0
// Loads a step's rows of the data set: gathered in shuffled order, or copied from where the host has staged
// them.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/quad.cuh"
#include "kernels/sample_order.h"

namespace breakeven {
namespace {

constexpr int batch_threads = 256;

__host__ __device__ std::int64_t quads_of(const Matrix& matrix) { return (matrix.cols + 3) / 4; }

__device__ std::int64_t source_row(const BatchSource& source, std::uint32_t step, std::int64_t row) {
  if (source.staged) return std::int64_t{step % 2} * (source.features.rows / 2) + row;
  const std::uint64_t position =
      std::uint64_t{step} * source.global_batch + source.first_sample + static_cast<std::uint64_t>(row);
  return sample_at(source.seed, position, static_cast<std::uint32_t>(source.features.rows));
}

// Copies quad number `quad` of a row.
template <typename From, typename To>
__device__ void copy_quad(const ConstMatrix& from, std::int64_t from_row, const Matrix& to,
                          std::int64_t to_row, std::int64_t quad, bool vectorised) {
  const std::int64_t col = 4 * quad;
  store_quad(to.as<To>() + to_row * to.ld + col, to.cols - col, vectorised,
             load_quad(from.as<From>() + from_row * from.ld + col, to.cols - col, vectorised));
}

// One thread per quad. Blocks are (row, part of the row); the features' quads come before the targets'.
template <typename From, typename To>
__global__ __launch_bounds__(batch_threads) void load_batch_kernel(BatchSource source, const StepState* state,
                                                                   Matrix features, Matrix target,
                                                                   bool vectorised) {
  __shared__ std::int64_t from;  // the walk through the permutation is long, so once per block
  const std::int64_t row = blockIdx.x;
  wait_for_predecessor();
  if (threadIdx.x == 0) from = source_row(source, state->step, row);
  __syncthreads();
  const std::int64_t of_features = quads_of(features);
  const std::int64_t quad = std::int64_t{blockIdx.y} * batch_threads + threadIdx.x;
  if (quad < of_features) {
    copy_quad<From, To>(source.features, from, features, row, quad, vectorised);
  } else if (quad < of_features + quads_of(target)) {
    copy_quad<float, float>(source.targets, from, target, row, quad - of_features, vectorised);
  }
}

}  // namespace

void CudaDevice::load_batch(const BatchSource& source, const StepState* state, Matrix features, Matrix target,
                            Stream& stream) {
  if (features.rows == 0) return;
  const bool vectorised =
      on_border(source.features) && on_border(source.targets) && on_border(features) && on_border(target);
  with_dtypes(source.features.dtype, features.dtype, [&](auto from_tag, auto to_tag) {
    using From = typename decltype(from_tag)::Type;
    using To = typename decltype(to_tag)::Type;
    const std::int64_t quads = quads_of(features) + quads_of(target);
    const dim3 grid(static_cast<unsigned>(features.rows),
                    static_cast<unsigned>((quads + batch_threads - 1) / batch_threads));
    launch_early(load_batch_kernel<From, To>, "load_batch_kernel", grid, batch_threads,
                 dynamic_cast<CudaStream&>(stream), source, state, features, target, vectorised);
  });
}

}  // namespace breakeven
