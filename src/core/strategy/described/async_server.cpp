// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/description.h"

namespace breakeven {
namespace {

StrategyPromise promise(const StrategyOptions&) {
  return {.exact = false, .repeatable = false, .definition_bits = false};
}

// A pull and a push.
std::vector<Message> messages(const StrategyOptions&, const MlpSettings& whole, int, int ranks) {
  return {{Collective::one_sided, ParameterLayout(whole.shape).floats() * sizeof(float), ranks, 2}};
}

}  // namespace

StrategyDescription describe_async_server() {
  return {
      .name = "async-server",
      .place = 13,
      .traits = {.in_step = false, .capturable = false},
      .promise = promise,
      .messages = messages,
      .replica_stride = StrategyDescription::no_replicas,
  };
}

}  // namespace breakeven
