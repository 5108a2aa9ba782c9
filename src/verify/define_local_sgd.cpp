// SPDX-License-Identifier: Apache-2.0
// Local SGD: every rank trains alone. After the first step of each period all ranks take the mean of their
// parameters, through an outer optimizer step if there is one. Means and outer steps are computed on the
// host, in double.
#include "kernels/device.h"
#include "src/core/strategy/case_strategy.h"
#include "src/train/training.h"
#include "src/verify/serial_definition.h"
#include "src/verify/serial_ranks.h"

namespace breakeven::verify {
namespace {

using Numbers = std::vector<double>;

Numbers mean_of(SerialRanks& ranks) {
  Numbers mean(ranks.parameters(0).size());
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const std::vector<float> mine = download(ranks.device(), ranks.parameters(rank), ranks.stream());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += mine[i];
  }
  for (double& value : mean) value /= ranks.size();
  return mean;
}

void give_to_all(const std::vector<float>& parameters, SerialRanks& ranks) {
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const std::span<float> place = ranks.parameters(rank);
    ranks.device().copy(place.data(), parameters.data(), place.size_bytes(), ranks.stream());
    ranks.take_parameters(rank);
  }
  ranks.stream().synchronize();  // the caller's vector is read until then
}

std::vector<float> rounded(const Numbers& numbers) { return {numbers.begin(), numbers.end()}; }

// SGD with Nesterov's momentum, as in Sutskever et al. 2013.
struct Outer {
  Numbers parameters;
  Numbers velocity;

  // The ranks continue with what is left in fp32, so the next gradient begins there.
  void step(const Numbers& mean, const StrategyOptions& options) {
    for (std::size_t i = 0; i < mean.size(); ++i) {
      const double gradient = parameters[i] - mean[i];
      velocity[i] = options.outer_momentum * velocity[i] + gradient;
      const double step = options.outer_rate * (gradient + options.outer_momentum * velocity[i]);
      parameters[i] = static_cast<float>(parameters[i] - step);
    }
  }
};

}  // namespace

Trajectory define_local_sgd(const Case& what, measure::RunContext& context, const Rounding& rounding) {
  const StrategyOptions options = strategy_of_case(what).options;
  SerialRanks ranks(what, context, settings_with_own_means(what, context), rounding);
  Outer outer{mean_of(ranks), Numbers(ranks.parameters(0).size())};
  for (std::uint32_t step = 0; step < ranks.steps(); ++step) {
    for (int rank = 0; rank < ranks.size(); ++rank) {
      ranks.make_gradient(rank);
      ranks.update(rank);
      ranks.note_gradient(rank);
    }
    if (step % options.period != 0) continue;
    const Numbers mean = mean_of(ranks);
    outer.step(mean, options);
    give_to_all(rounded(options.outer_nesterov ? outer.parameters : mean), ranks);
  }
  give_to_all(rounded(mean_of(ranks)), ranks);
  return ranks.trajectory(ranks.parameters(0));
}

}  // namespace breakeven::verify
