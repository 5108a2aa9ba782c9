// SPDX-License-Identifier: Apache-2.0
// The table of strategies, and what they share.
#include "src/strategy/strategy.h"

#include <array>

namespace breakeven {
namespace {

constexpr std::array table{
    StrategyInfo{"single", "one GPU, no exchange machinery at all", false, make_single},
    StrategyInfo{"ddp", "data parallel: one flat all-reduce of the gradient after the backward pass", true,
                 make_ddp},
    StrategyInfo{"parameter-server",
                 "data parallel: rank 0 sums the gradients, updates, sends the parameters", true,
                 make_parameter_server},
};

}  // namespace

void enqueue_forward(Replica& replica, const BatchSource& source, PhaseMarks& marks, Stream& stream) {
  marks.begin(stream);
  replica.load_batch(source, stream);
  marks.end_of(Phase::input, stream);
  replica.forward(stream);
  marks.end_of(Phase::forward, stream);
}

std::span<const StrategyInfo> strategies() { return table; }

const StrategyInfo* find_strategy(std::string_view name) {
  for (const StrategyInfo& info : table) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const StrategyInfo& info : table) names.emplace_back(info.name);
  return names;
}

}  // namespace breakeven
