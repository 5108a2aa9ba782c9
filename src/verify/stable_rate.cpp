// SPDX-License-Identifier: Apache-2.0
#include "src/verify/stable_rate.h"

#include <algorithm>

#include "mpi/group.h"
#include "mpi/mpi_call.h"
#include "src/core/strategy/case_strategy.h"
#include "src/verify/references.h"

namespace breakeven::verify {
namespace {

constexpr int most_attempts = 10;
constexpr float step_down = 10, reserve = 10;
constexpr double most_growth = 10;

bool diverges(const Case& single, measure::RunContext& context, std::uint32_t steps, float rate) {
  MlpSettings settings = context.settings_for(single, steps);
  settings.adam.learning_rate = rate;
  const std::vector<double> losses =
      train(single, context, strategy_of_case(single), nullptr, settings).losses;
  return !std::ranges::all_of(losses, [&](double loss) { return loss <= most_growth * losses.front(); });
}

}  // namespace

float stable_learning_rate(const Case& what, measure::RunContext& context) {
  MPI_Comm const group = context.group(what.gpus);
  float rate = context.options().learning_rate;
  if (rank_in(group) == 0) {
    const Case single = in_fp32(single_device_case(what), context.device());
    const std::uint32_t steps = all_steps(context) * static_cast<std::uint32_t>(what.gpus);
    for (int attempt = 1; attempt < most_attempts && diverges(single, context, steps, reserve * rate);
         ++attempt)
      rate /= step_down;
  }
  MPI_CALL(MPI_Bcast(&rate, 1, MPI_FLOAT, 0, group));
  return rate;
}

}  // namespace breakeven::verify
