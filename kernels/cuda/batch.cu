// SPDX-License-Identifier: Apache-2.0
// A step's rows of the data set, gathered by the shuffled order or taken from where the host has laid them.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/quad.cuh"
#include "kernels/sample_order.h"

namespace breakeven {
namespace {

constexpr int batch_threads = 256;

__device__ std::int64_t source_row(const BatchSource& source, std::uint32_t step, std::int64_t rows,
                                   std::int64_t row) {
  if (source.staged) return std::int64_t{step % 2} * rows + row;
  const std::uint64_t position =
      std::uint64_t{step} * source.global_batch + source.first_sample + static_cast<std::uint64_t>(row);
  return sample_at(source.seed, position, static_cast<std::uint32_t>(source.features.rows));
}

template <typename From, typename To>
__device__ void copy_row(const ConstMatrix& from, std::int64_t from_row, const Matrix& to,
                         std::int64_t to_row, bool vectorised) {
  const From* source = from.as<From>() + from_row * from.ld;
  To* place = to.as<To>() + to_row * to.ld;
  for (std::int64_t col = 4 * std::int64_t{threadIdx.x}; col < to.cols; col += 4 * batch_threads) {
    store_quad(place + col, to.cols - col, vectorised, load_quad(source + col, to.cols - col, vectorised));
  }
}

// One block a row.
template <typename From, typename To>
__global__ __launch_bounds__(batch_threads) void load_batch_kernel(BatchSource source, const StepState* state,
                                                                   Matrix features, Matrix target,
                                                                   bool vectorised) {
  __shared__ std::int64_t from;  // the walk through the permutation is long: once a row
  const std::int64_t row = blockIdx.x;
  if (threadIdx.x == 0) from = source_row(source, state->step, features.rows, row);
  __syncthreads();
  copy_row<From, To>(source.features, from, features, row, vectorised);
  copy_row<float, float>(source.targets, from, target, row, vectorised);
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
    load_batch_kernel<From, To>
        <<<static_cast<unsigned>(features.rows), batch_threads, 0, cuda_stream(stream)>>>(
            source, state, features, target, vectorised);
  });
  CHECK_LAUNCH("load_batch_kernel", features.rows, features.cols);
}

}  // namespace breakeven
