// SPDX-License-Identifier: Apache-2.0
#include "src/model/activations.h"

namespace breakeven {
namespace {

std::size_t bytes_of_matrix(std::int64_t rows, std::int64_t cols, Element element) {
  return static_cast<std::size_t>(rows * padded_width(cols) * bytes_of(element));
}

Matrix take(std::byte*& next, std::int64_t rows, std::int64_t cols, Element element) {
  const Matrix view{next, rows, cols, padded_width(cols), element};
  next += bytes_of_matrix(rows, cols, element);
  return view;
}

std::int64_t target_width(const ReplicaSettings& settings) {
  return settings.loss == LossKind::softmax_cross_entropy ? 1 : settings.shape.outputs();
}

}  // namespace

std::size_t Activations::bytes_needed(const ReplicaSettings& settings) {
  const auto& widths = settings.shape.widths;
  std::size_t bytes = bytes_of_matrix(settings.rows, target_width(settings), Element::fp32) +
                      bytes_of_matrix(settings.rows, widths.back(), Element::fp32);
  for (std::size_t l = 0; l < widths.size(); ++l) {
    bytes += (l == 0 ? 1 : 2) * bytes_of_matrix(settings.rows, widths[l], settings.element());
  }
  return bytes;
}

Activations::Activations(Device& device, const ReplicaSettings& settings)
    : memory_(device, bytes_needed(settings), false, "activations") {
  const auto& widths = settings.shape.widths;
  const Element element = settings.element();
  auto* next = memory_.as<std::byte>();
  inputs_.push_back(take(next, settings.rows, widths[0], element));
  for (std::size_t l = 1; l < widths.size(); ++l) {
    gradients_.push_back(take(next, settings.rows, widths[l], element));
    const bool is_output = l + 1 == widths.size();
    inputs_.push_back(take(next, settings.rows, widths[l], is_output ? Element::fp32 : element));
  }
  target_ = take(next, settings.rows, target_width(settings), Element::fp32);
}

}  // namespace breakeven
