// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/activation_views.h"

#include <algorithm>

namespace breakeven {
namespace {

// Allots matrices consecutively, or without memory only counts their bytes.
class Layout {
 public:
  explicit Layout(std::byte* memory) : memory_(memory) {}
  Matrix take(std::int64_t rows, std::int64_t cols, Dtype dtype) {
    const std::int64_t ld = padded_width(cols);
    const Matrix view{memory_ == nullptr ? nullptr : memory_ + bytes_, rows, cols, ld, dtype};
    bytes_ += static_cast<std::size_t>(rows * ld * bytes_of(dtype));
    return view;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

// Part `number`. Parts share places where the matrix holds fewer of them.
Matrix part_of_rows(const Matrix& matrix, std::uint32_t number, std::uint32_t rows) {
  if (matrix.data == nullptr) return matrix;
  const std::int64_t first_row = std::int64_t{number} * rows % matrix.rows;
  Matrix part = matrix;
  part.data = matrix.as<std::byte>() + first_row * matrix.ld * bytes_of(matrix.dtype);
  part.rows = rows;
  return part;
}

// Matrix `number`, where every `period`-th matrix uses the same memory. The first one takes room for the
// widest. `before` holds the matrices with lower numbers. The last width has no matrix.
Matrix take_in_turn(std::size_t number, std::size_t period, const std::vector<Matrix>& before,
                    const std::vector<std::uint32_t>& widths, std::int64_t rows, Dtype dtype,
                    Layout& layout) {
  Matrix view;
  if (number >= period && before[number - period].rows > 0) {
    view = before[number - period];
  } else {
    std::uint32_t widest = 0;
    for (std::size_t i = number; i + 1 < widths.size(); i += period) widest = std::max(widest, widths[i]);
    view = layout.take(rows, widest, dtype);
  }
  view.cols = widths[number];
  view.ld = padded_width(view.cols);
  return view;
}

std::int64_t target_width(const MlpSettings& settings) {
  return settings.loss == LossKind::softmax_cross_entropy ? 1 : settings.shape.outputs();
}

}  // namespace

std::size_t ActivationViews::lay_out(const MlpSettings& settings, std::byte* memory) {
  const auto& widths = settings.shape.widths;
  const MicroBatches& micro_batches = settings.micro_batches;
  const Dtype dtype = settings.dtype();
  const std::size_t together = settings.layers_a_checkpoint;
  micro_rows_ = settings.rows / micro_batches.count;
  const std::uint32_t kept_rows = micro_rows_ * micro_batches.in_flight;
  const std::uint32_t loaded_rows = micro_batches.loaded_together ? settings.rows : kept_rows;
  Layout layout(memory);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const bool is_batch = i == 0 && settings.place.first_layer == 0;
    const bool is_output = i + 1 == widths.size() && settings.place.ends_model;
    const bool is_kept = together == 0 || i % together == 0;
    if (is_batch) {
      gradients_.emplace_back();
      inputs_.push_back(layout.take(loaded_rows, widths[i], dtype));
    } else if (is_output) {
      gradients_.push_back(layout.take(kept_rows, widths[i], dtype));  // made by the forward pass
      inputs_.push_back(layout.take(micro_rows_, widths[i], Dtype::fp32));
    } else {
      gradients_.push_back(together == 0
                               ? layout.take(micro_rows_, widths[i], dtype)
                               : take_in_turn(i, 2, gradients_, widths, micro_rows_, dtype, layout));
      inputs_.push_back(is_kept ? layout.take(kept_rows, widths[i], dtype)
                                : take_in_turn(i, together, inputs_, widths, micro_rows_, dtype, layout));
    }
  }
  if (settings.place.ends_model) target_ = layout.take(loaded_rows, target_width(settings), Dtype::fp32);
  return layout.bytes();
}

ActivationViews ActivationViews::of_micro_batch(std::uint32_t number) const {
  ActivationViews part;
  part.micro_rows_ = micro_rows_;
  part.first_row_ = number * micro_rows_;
  for (const Matrix& input : inputs_) part.inputs_.push_back(part_of_rows(input, number, micro_rows_));
  for (const Matrix& gradient : gradients_)
    part.gradients_.push_back(part_of_rows(gradient, number, micro_rows_));
  part.target_ = part_of_rows(target_, number, micro_rows_);
  return part;
}

}  // namespace breakeven
