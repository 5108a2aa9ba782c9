// SPDX-License-Identifier: Apache-2.0
#include "src/model/activations.h"

namespace breakeven {
namespace {

// Hands out matrices one behind the other.
class Layout {
 public:
  explicit Layout(std::byte* memory) : memory_(memory) {}
  Matrix take(std::int64_t rows, std::int64_t cols, Element element) {
    const std::int64_t ld = padded_width(cols);
    const Matrix view{memory_ + bytes_, rows, cols, ld, element};
    bytes_ += static_cast<std::size_t>(rows * ld * bytes_of(element));
    return view;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

// Number `number` of the parts, which take turns where the matrix holds fewer.
Matrix part_of_rows(const Matrix& matrix, std::uint32_t number, std::uint32_t rows) {
  if (matrix.data == nullptr) return matrix;
  const std::int64_t first_row = std::int64_t{number} * rows % matrix.rows;
  Matrix part = matrix;
  part.data = matrix.as<std::byte>() + first_row * matrix.ld * bytes_of(matrix.element);
  part.rows = rows;
  return part;
}

std::int64_t target_width(const ReplicaSettings& settings) {
  return settings.loss == LossKind::softmax_cross_entropy ? 1 : settings.shape.outputs();
}

}  // namespace

std::size_t Activations::bytes_needed(const ReplicaSettings& settings) {
  return Activations().lay_out(settings, nullptr);
}

Activations::Activations(Device& device, const ReplicaSettings& settings)
    : memory_(device, bytes_needed(settings), false, "activations") {
  lay_out(settings, memory_.as<std::byte>());
}

std::size_t Activations::lay_out(const ReplicaSettings& settings, std::byte* memory) {
  const auto& widths = settings.shape.widths;
  const PlaceInModel& place = settings.place;
  micro_batches_ = settings.micro_batches;
  micro_rows_ = settings.rows / micro_batches_.count;
  const std::uint32_t kept_rows = micro_rows_ * micro_batches_.in_flight;
  Layout layout(memory);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const bool is_batch = i == 0 && place.first_layer == 0;
    const bool is_output = i + 1 == widths.size() && place.ends_model;
    // The loss's is made by the way forward.
    const std::uint32_t gradient_rows = is_output ? kept_rows : micro_rows_;
    gradients_.push_back(is_batch ? Matrix{} : layout.take(gradient_rows, widths[i], settings.element()));
    const std::uint32_t rows = is_batch ? settings.rows : is_output ? micro_rows_ : kept_rows;
    inputs_.push_back(layout.take(rows, widths[i], is_output ? Element::fp32 : settings.element()));
  }
  if (place.ends_model) target_ = layout.take(settings.rows, target_width(settings), Element::fp32);
  return layout.bytes();
}

Activations Activations::of_micro_batch(std::uint32_t number) const {
  Activations part;
  part.micro_rows_ = micro_rows_;
  for (const Matrix& input : inputs_) part.inputs_.push_back(part_of_rows(input, number, micro_rows_));
  for (const Matrix& gradient : gradients_)
    part.gradients_.push_back(part_of_rows(gradient, number, micro_rows_));
  part.target_ = part_of_rows(target_, number, micro_rows_);
  return part;
}

}  // namespace breakeven
