// SPDX-License-Identifier: Apache-2.0
// The optimizers and their settings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/core/words_of.h"

namespace breakeven {

enum class OptimizerKind : std::uint8_t { adam, sgd };

struct OptimizerTraits {
  std::string_view name;
  int moments;  // kept a parameter
};
inline constexpr std::array optimizer_traits{OptimizerTraits{.name = "adam", .moments = 2},
                                             OptimizerTraits{.name = "sgd", .moments = 0}};
template <>
inline constexpr auto words_of<OptimizerKind> = names_of_rows(optimizer_traits);

inline const OptimizerTraits& traits_of(OptimizerKind kind) {
  return optimizer_traits.at(static_cast<std::size_t>(kind));
}

struct AdamSettings {  // Kingma and Ba, "Adam", ICLR 2015, algorithm 1
  float learning_rate = 1e-3f;
  float beta1 = 0.9f;
  float beta2 = 0.999f;
  float epsilon = 1e-8f;
};

}  // namespace breakeven
