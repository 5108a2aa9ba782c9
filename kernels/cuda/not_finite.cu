// SPDX-License-Identifier: Apache-2.0
// Sets a flag if a value is not finite; copies unless such a flag is set.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/flat.cuh"

namespace breakeven {
namespace {

// Few, long rows, often one: all threads share each row.
template <typename T>
__global__ __launch_bounds__(flat_threads) void find_not_finite_kernel(ConstMatrix values, bool vectorised,
                                                                       std::uint32_t* found) {
  bool finite = true;
  for (std::int64_t row = 0; row < values.rows; ++row) {
    const T* const of_row = values.as<T>() + row * values.ld;
    for (std::int64_t col = first_place(); col < values.cols; col += place_stride()) {
      finite = finite && stays_finite<float>(load_quad(of_row + col, values.cols - col, vectorised));
    }
  }
  if (!finite) *found = 1;  // concurrent stores write the same value
}

__global__ __launch_bounds__(flat_threads) void copy_unless_kernel(const std::uint32_t* flag,
                                                                   std::int64_t count, const float* from,
                                                                   float* to, bool vectorised) {
  if (*flag != 0) return;
  for (std::int64_t i = first_place(); i < count; i += place_stride()) {
    store_quad(to + i, count - i, vectorised, load_quad(from + i, count - i, vectorised));
  }
}

}  // namespace

void CudaDevice::find_not_finite(ConstMatrix values, std::uint32_t* found, Stream& stream) {
  if (values.rows == 0 || values.cols == 0) return;
  with_dtype(values.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    find_not_finite_kernel<T><<<flat_blocks(values.cols, info_), flat_threads, 0, cuda_stream(stream)>>>(
        values, on_border(values), found);
  });
  CHECK_LAUNCH("find_not_finite_kernel", values.rows, values.cols);
}

void CudaDevice::copy_unless(const std::uint32_t* flag, std::size_t count, const float* from, float* to,
                             Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  copy_unless_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
      flag, floats, from, to, on_border(from) && on_border(to));
  CHECK_LAUNCH("copy_unless_kernel", floats);
}

}  // namespace breakeven
