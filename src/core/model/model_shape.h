// SPDX-License-Identifier: Apache-2.0
// The multilayer perceptrons that are trained: by name, or by shape as in "784-512-10".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "src/core/text/usage.h"

namespace breakeven {

struct ModelShape {
  std::string name;
  std::vector<std::uint32_t> widths;  // inputs, hidden layers, outputs; at least two
  float dropout = 0;                  // of every hidden layer

  std::size_t layers() const { return widths.size() - 1; }
  std::uint32_t inputs() const { return widths.front(); }
  std::uint32_t outputs() const { return widths.back(); }
  std::uint64_t parameters() const;  // weights and biases, padding not counted
  // Floating-point operations of one step over `batch` samples: 2 m n k for each GEMM, forward, weight
  // gradient, and data gradient of all layers but the first.
  double step_flops(std::uint32_t batch) const;
};

std::vector<std::string> model_names();          // of the models that have a name
std::vector<std::string> model_names_in_help();  // "medium (799-256-128-64-192)"

// A shape as text has dropout 0.2, the smaller rate of the named models.
std::variant<ModelShape, UsageError> parse_model(std::string_view text);

}  // namespace breakeven
