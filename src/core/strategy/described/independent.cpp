// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/description.h"
#include "src/core/strategy/kept_activations.h"

namespace breakeven {
namespace {

// The definition's update is not fused into its products.
StrategyPromise promise(const StrategyOptions& options) {
  return {.definition_bits = updates_apart(options)};
}

}  // namespace

StrategyDescription describe_independent() {
  return {
      .name = "independent",
      .place = 2,
      .exchanges = false,
      .traits = {.copies = true, .in_step = false},
      .promise = promise,
  };
}

}  // namespace breakeven
