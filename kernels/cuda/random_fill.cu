// SPDX-License-Identifier: Apache-2.0
// Initial parameters and the synthetic data set: the same bits on every device.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/quad.cuh"
#include "kernels/synthetic.h"
#include "src/core/philox.h"

namespace breakeven {
namespace {

__global__ void fill_uniform_kernel(std::uint64_t seed, std::uint32_t layer, Origin at, float bound, Matrix w,
                                    bool vectorised) {
  const std::int64_t col = quad_col();
  if (col >= w.cols) return;
  for (std::int64_t row = quad_row(); row < w.rows; row += quad_rows()) {
    const Philox4 words =
        random_words(seed, RandomUse::parameters, 0, layer, at.row + static_cast<std::uint32_t>(row),
                     (at.col + static_cast<std::uint32_t>(col)) / 4);
    Quad values;
#pragma unroll
    for (int i = 0; i < 4; ++i) values.unit[i] = uniform_within(words.word[i], bound);
    store_quad(w.floats() + row * w.ld + col, w.cols - col, vectorised, values);
  }
}

__global__ void fill_features_kernel(std::uint64_t seed, Matrix features, bool vectorised) {
  const std::int64_t col = quad_col();
  if (col >= features.cols) return;
  for (std::int64_t row = quad_row(); row < features.rows; row += quad_rows()) {
    Quad values;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      values.unit[i] =
          synthetic_feature(seed, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col + i));
    }
    store_quad(features.floats() + row * features.ld + col, features.cols - col, vectorised, values);
  }
}

__global__ void fill_targets_kernel(std::uint64_t seed, std::uint32_t inputs, Matrix targets,
                                    bool vectorised) {
  const std::int64_t col = quad_col();
  if (col >= targets.cols) return;
  for (std::int64_t row = quad_row(); row < targets.rows; row += quad_rows()) {
    Quad values;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      values.unit[i] = synthetic_target(seed, static_cast<std::uint32_t>(row),
                                        static_cast<std::uint32_t>(col + i), inputs);
    }
    store_quad(targets.floats() + row * targets.ld + col, targets.cols - col, vectorised, values);
  }
}

}  // namespace

void CudaDevice::fill_uniform(std::uint64_t seed, std::uint32_t layer, Origin at, float bound, Matrix w,
                              Stream& stream) {
  if (w.rows == 0 || w.cols == 0) return;
  fill_uniform_kernel<<<quad_grid(w.rows, w.cols), quad_block(), 0, cuda_stream(stream)>>>(
      seed, layer, at, bound, w, on_border(w));
  CHECK_LAUNCH("fill_uniform_kernel", w.rows, w.cols);
}

void CudaDevice::fill_synthetic(std::uint64_t seed, Matrix features, Matrix targets, Stream& stream) {
  if (features.rows == 0 || features.cols == 0 || targets.cols == 0) return;
  fill_features_kernel<<<quad_grid(features.rows, features.cols), quad_block(), 0, cuda_stream(stream)>>>(
      seed, features, on_border(features));
  CHECK_LAUNCH("fill_features_kernel", features.rows, features.cols);
  fill_targets_kernel<<<quad_grid(targets.rows, targets.cols), quad_block(), 0, cuda_stream(stream)>>>(
      seed, static_cast<std::uint32_t>(features.cols), targets, on_border(targets));
  CHECK_LAUNCH("fill_targets_kernel", targets.rows, targets.cols);
}

}  // namespace breakeven
