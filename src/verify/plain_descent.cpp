// SPDX-License-Identifier: Apache-2.0
#include "src/verify/plain_descent.h"

#include <array>
#include <numeric>

#include "mpi/mpi_call.h"
#include "src/verify/distance.h"
#include "src/verify/references.h"
#include "src/verify/trajectory.h"

namespace breakeven {
namespace {

constexpr double weights_limit = 1e-5;
constexpr double way_limit = 1e-4;

Trajectory descend(const Case& what, RunContext& bench, const StrategyChoice& strategy,
                   Communicator* communicator) {
  MlpSettings settings = bench.settings_for(what, all_steps(bench));
  settings.optimizer = OptimizerKind::sgd;
  settings.adam.learning_rate = plain_descent_rate;
  return train(what, bench, strategy, communicator, settings);
}

// How far the steps went, if they had all gone one way.
double length_of_way(const Trajectory& trajectory) {
  return plain_descent_rate *
         std::accumulate(trajectory.gradient_norms.begin(), trajectory.gradient_norms.end(), 0.0);
}

}  // namespace

std::vector<Check> check_plain_descent(const Case& what, RunContext& bench, const StrategyChoice& strategy,
                                       Communicator* communicator) {
  if (!strategy.info->traits.splits_model || what.precision != Precision::fp32) return {};
  const Trajectory trajectory = descend(what, bench, strategy, communicator);
  int rank = 0;
  MPI_CALL(MPI_Comm_rank(bench.group(what.gpus), &rank));
  std::array<double, 2> values{};
  if (rank == 0) {
    const Case one = single_device_case(what);
    const Trajectory expected = descend(one, bench, strategy_of_case(one), nullptr);
    values = {relative_frobenius(expected.parameters, trajectory.parameters),
              distance(expected.parameters, trajectory.parameters) / length_of_way(expected)};
  }
  MPI_CALL(MPI_Bcast(values.data(), 2, MPI_DOUBLE, 0, bench.group(what.gpus)));
  return {{"weights against plain descent, relative Frobenius norm", values[0], weights_limit},
          {"weights against plain descent, relative to distance moved", values[1], way_limit}};
}

std::vector<Check> check_plain_descent(const Case& what, RunContext& bench) {
  return check_plain_descent(what, bench, strategy_of_case(what),
                             bench.communicator(what.transport.value(), what.gpus));
}

}  // namespace breakeven
