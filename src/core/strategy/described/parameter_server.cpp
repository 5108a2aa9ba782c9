// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/parameter_layout.h"
#include "src/core/step_state.h"
#include "src/core/strategy/description.h"

namespace breakeven {
namespace {

std::vector<Message> messages(const StrategyOptions&, const MlpSettings& whole, int, int ranks) {
  const std::uint64_t bytes = ParameterLayout(whole.shape).floats() * sizeof(float);
  return {{Collective::reduce, bytes, ranks}, {Collective::broadcast, bytes + sizeof(StepState), ranks}};
}

}  // namespace

StrategyDescription describe_parameter_server() {
  return {
      .name = "parameter-server",
      .place = 4,
      .options = {"clip", "accumulate", "checkpoint"},
      .messages = messages,
  };
}

}  // namespace breakeven
