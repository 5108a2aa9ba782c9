// SPDX-License-Identifier: Apache-2.0
// The matrix products that `breakeven kernels` measures: those of a step's layers, squares, and any given by
// shape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/product.h"
#include "src/core/model/model_shape.h"
#include "src/core/text/usage.h"

namespace breakeven::bench {

struct GemmTask {
  GemmLayout layout;
  GemmShape shape;
  bool is_square = false;  // measured for comparison with the literature, not as part of a model
  bool operator==(const GemmTask&) const = default;

  double flops() const { return 2.0 * static_cast<double>(shape.m * shape.n) * static_cast<double>(shape.k); }
};

// "nt 128x1024x4608"
std::string label_of(const GemmTask& task);

// Adds the forward product, data gradient and weight gradient of every layer for `batch` samples; the first
// layer has no data gradient. No product is added twice.
void add_model_tasks(const ModelShape& shape, std::uint32_t batch, std::vector<GemmTask>& tasks);

// "nt:128x1024x4608": layout, m, n, k
std::variant<GemmTask, UsageError> parse_task(std::string_view text);

// How A and B are stored: C[m,n] = A B in this layout (kernels/product.h).
struct StoredShape {
  std::int64_t rows, cols;
};
StoredShape stored_a(const GemmTask& task);
StoredShape stored_b(const GemmTask& task);

}  // namespace breakeven::bench
