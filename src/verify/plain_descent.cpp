// SPDX-License-Identifier: Apache-2.0
#include "src/verify/plain_descent.h"

#include <array>
#include <numeric>

#include "mpi/mpi_call.h"
#include "src/verify/references.h"
#include "src/verify/trajectory.h"

namespace breakeven::verify {
namespace {

constexpr double weights_limit = 1e-5;
constexpr double path_limit = 1e-4;

Trajectory descend(const Case& what, measure::RunContext& context, const StrategyChoice& strategy,
                   Communicator* communicator) {
  MlpSettings settings = context.settings_for(what, all_steps(context));
  settings.optimizer = OptimizerKind::sgd;
  settings.adam.learning_rate = plain_descent_rate;
  return train(what, context, strategy, communicator, settings);
}

// How far the steps would have moved the weights if all had gone in one direction.
double path_length(const Trajectory& trajectory) {
  return plain_descent_rate *
         std::accumulate(trajectory.gradient_norms.begin(), trajectory.gradient_norms.end(), 0.0);
}

}  // namespace

std::vector<Check> check_plain_descent(const Case& what, measure::RunContext& context,
                                       const StrategyChoice& strategy, Communicator* communicator) {
  if (!strategy.info->traits.splits_model || what.precision != Precision::fp32) return {};
  const Trajectory trajectory = descend(what, context, strategy, communicator);
  int rank = 0;
  MPI_CALL(MPI_Comm_rank(context.group(what.gpus), &rank));
  std::array<double, 2> values{};
  if (rank == 0) {
    const Case one = single_device_case(what);
    const Trajectory expected = descend(one, context, strategy_of_case(one), nullptr);
    values = {relative_frobenius(expected.parameters, trajectory.parameters),
              distance(expected.parameters, trajectory.parameters) / path_length(expected)};
  }
  MPI_CALL(MPI_Bcast(values.data(), 2, MPI_DOUBLE, 0, context.group(what.gpus)));
  return {{"weights against plain descent, relative Frobenius norm", values[0], weights_limit},
          {"weights against plain descent, relative to distance moved", values[1], path_limit}};
}

std::vector<Check> check_plain_descent(const Case& what, measure::RunContext& context) {
  return check_plain_descent(what, context, strategy_of_case(what),
                             context.communicator(what.transport.value(), what.gpus));
}

}  // namespace breakeven::verify
