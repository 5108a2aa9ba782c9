// SPDX-License-Identifier: Apache-2.0
// What a training run computes (not how long it takes), and how far two results are apart.
#pragma once

#include <vector>

#include "src/core/case.h"
#include "src/measure/run_context.h"
#include "src/strategy/strategy.h"

namespace breakeven::verify {

struct ServedStep {
  strategy::ServedUpdate update;
  std::vector<float> read;  // the parameters that the rank had pulled; rank 0 alone has them
};
// [rank][step], of all ranks; empty if the strategy does not serve parameters.
using ServedOrder = std::vector<std::vector<ServedStep>>;

struct Trajectory {
  std::vector<double> losses;          // [step], mean over the global batch
  std::vector<double> gradient_norms;  // [step], of the global batch's gradient; the root mean square over
                                       // ranks if each has its own loss (MlpSettings::share)
  std::vector<float> parameters;       // after the last step
  ServedOrder served;                  // of an asynchronous server
  double read_distance = 0;            // of replayed updates (replay_async_server)
  double updates_uncounted = 0;        // pushes whose end the server did not count; negative: counted twice
  bool whole_steps = false;            // fused (Strategy::whole_steps): in an order of sums of their own
  double weights_checksum = 0;         // this rank's (src/train/trained_weights.h)
};

// Trains for the warm-up and steps of the context's options. Collective over the case's ranks. With a graph,
// every step but the first is a replay. Losses are summed over the ranks, so every rank has the whole
// batch's.
Trajectory train(const Case& what, measure::RunContext& context);
// With another strategy than the case's, or over another communicator.
Trajectory train(const Case& what, measure::RunContext& context, const StrategyChoice& strategy,
                 Communicator* communicator);
// Also with other settings than the launch's, for their total_steps.
Trajectory train(const Case& what, measure::RunContext& context, const StrategyChoice& strategy,
                 Communicator* communicator, MlpSettings settings);

// Steps of the context's options, including the warm-up.
std::uint32_t all_steps(const measure::RunContext& context);

// How far apart two sets of weights are. Both have the same size. NaN in either makes the distance NaN.
double mean_difference(const std::vector<float>& a, const std::vector<float>& b);  // mean |a - b|
double norm(const std::vector<float>& values);                                     // Frobenius norm
double distance(const std::vector<float>& a, const std::vector<float>& b);         // Frobenius norm of a - b
double relative_frobenius(const std::vector<float>& reference,
                          const std::vector<float>& values);  // over |reference|

}  // namespace breakeven::verify
