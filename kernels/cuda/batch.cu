// SPDX-License-Identifier: Apache-2.0
// Loads a step's rows of the data set: gathered in shuffled order, or copied from where the host has staged
// them.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/quad.cuh"
#include "kernels/sample_order.h"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

constexpr std::int64_t batch_threads = 256;

__host__ __device__ std::int64_t quads_of(const Matrix& matrix) { return (matrix.cols + 3) / 4; }

__device__ std::int64_t source_row(const BatchSource& source, std::uint32_t step, std::int64_t row) {
  if (source.staged) return std::int64_t{step % 2} * (source.features.rows / 2) + row;
  const std::uint64_t position =
      std::uint64_t{step} * source.global_batch + source.first_sample + static_cast<std::uint64_t>(row);
  return sample_at(source.seed, position, static_cast<std::uint32_t>(source.features.rows));
}

// Copies quad number `quad` of `count` rows, the first of which is `row`. All loads come before the stores.
template <int count, typename From, typename To>
__device__ void copy_quads(const ConstMatrix& from, const std::int64_t* from_row, const Matrix& to,
                           std::int64_t row, std::int64_t quad, bool vectorised) {
  const std::int64_t col = 4 * quad, left = to.cols - col;
  Quad quads[count];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (row + i < to.rows)
      quads[i] = load_quad(from.as<From>() + from_row[i] * from.ld + col, left, vectorised);
  }
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (row + i < to.rows) store_quad(to.as<To>() + (row + i) * to.ld + col, left, vectorised, quads[i]);
  }
}

// Blocks are (`count` rows, part of these rows), with a thread per quad of a row; the features' quads come
// before the targets'.
template <int count, typename From, typename To>
__global__ __launch_bounds__(batch_threads) void load_batch_kernel(BatchSource source, const StepState* state,
                                                                   Matrix features, Matrix target,
                                                                   bool vectorised) {
  __shared__ std::int64_t from[count];  // the walk through the permutation is long, so once per block
  const std::int64_t row = std::int64_t{blockIdx.x} * count;
  wait_for_predecessor();
  if (threadIdx.x < count) from[threadIdx.x] = source_row(source, state->step, row + threadIdx.x);
  __syncthreads();
  const std::int64_t of_features = quads_of(features);
  const std::int64_t quad = std::int64_t{blockIdx.y} * batch_threads + threadIdx.x;
  if (quad < of_features) {
    copy_quads<count, From, To>(source.features, from, features, row, quad, vectorised);
  } else if (quad < of_features + quads_of(target)) {
    copy_quads<count, float, float>(source.targets, from, target, row, quad - of_features, vectorised);
  }
}

template <int count, typename From, typename To>
void launch_load_batch(const BatchSource& source, const StepState* state, const Matrix& features,
                       const Matrix& target, CudaStream& stream) {
  const bool vectorised =
      on_border(source.features) && on_border(source.targets) && on_border(features) && on_border(target);
  const dim3 grid(static_cast<unsigned>(ceil_div(features.rows, std::int64_t{count})),
                  static_cast<unsigned>(ceil_div(quads_of(features) + quads_of(target), batch_threads)));
  launch_early(load_batch_kernel<count, From, To>, "load_batch_kernel", grid, batch_threads, stream, source,
               state, features, target, vectorised);
}

}  // namespace

void CudaDevice::load_batch(const BatchSource& source, const StepState* state, Matrix features, Matrix target,
                            Stream& stream) {
  if (features.rows == 0) return;
  auto& cuda = dynamic_cast<CudaStream&>(stream);
  with_dtypes(source.features.dtype, features.dtype, [&](auto from_tag, auto to_tag) {
    using From = typename decltype(from_tag)::Type;
    using To = typename decltype(to_tag)::Type;
    // Rows that a block copies at once share the walk and keep more bytes in flight.
    constexpr std::int64_t many_rows = 1024;
    features.rows < many_rows ? launch_load_batch<1, From, To>(source, state, features, target, cuda)
                              : launch_load_batch<4, From, To>(source, state, features, target, cuda);
  });
}

}  // namespace breakeven
