// SPDX-License-Identifier: Apache-2.0
// What a training run computes, as opposed to how long it takes.
#pragma once

#include <vector>

#include "src/core/case.h"
#include "src/measure/run_context.h"
#include "src/strategy/strategy.h"

namespace breakeven {

// [rank][step], of all ranks; empty where no strategy serves parameters.
using ServedOrder = std::vector<std::vector<ServedUpdate>>;

struct Trajectory {
  std::vector<double> losses;          // [step], mean over the global batch
  std::vector<double> gradient_norms;  // [step], of the global batch's gradient; over ranks with a loss
                                       // of their own (MlpSettings::share) the root mean square
  std::vector<float> parameters;       // after the last step
  ServedOrder served;                  // where ranks update parameters in one place as they come
  double updates_lost = 0;             // that parameters served to all ranks did not get; negative: too many
};

// Trains for warm-up and steps of the bench's options; called by the case's ranks, all of them. With a graph,
// every step but the first is a replay. Losses are summed over the ranks: every rank has the whole batch's.
Trajectory train(const Case& what, RunContext& bench);
// By another strategy than the case's, or over another communicator.
Trajectory train(const Case& what, RunContext& bench, const StrategyChoice& strategy,
                 Communicator* communicator);
// With other settings than the launch's too: their total_steps steps.
Trajectory train(const Case& what, RunContext& bench, const StrategyChoice& strategy,
                 Communicator* communicator, MlpSettings settings);

// Steps of the bench's options, the warm-up among them.
std::uint32_t all_steps(const RunContext& bench);

}  // namespace breakeven
