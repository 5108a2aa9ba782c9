// SPDX-License-Identifier: Apache-2.0
// The asynchronous server's updates once more, one after another in the order in which they were made: each
// rank reads the parameters after as many updates as it did, and its change is added when its turn comes.
#include <limits>

#include "kernels/device.h"
#include "src/core/strategy/case_strategy.h"
#include "src/verify/serial_definition.h"
#include "src/verify/serial_ranks.h"

namespace breakeven {
namespace {

// What a rank has made and not yet pushed, and of which of its steps.
struct Pending {
  std::vector<float> change;
  std::size_t step = 0;
};

std::vector<float> parameters_of(SerialRanks& ranks, int rank) {
  return download(ranks.device(), ranks.parameters(rank), ranks.stream());
}

std::vector<float> change_from(const std::vector<float>& served, int rank, SerialRanks& ranks) {
  const std::span<float> parameters = ranks.parameters(rank);
  ranks.device().copy(parameters.data(), served.data(), parameters.size_bytes(), ranks.stream());
  ranks.take_parameters(rank);
  ranks.make_gradient(rank);
  ranks.update(rank);
  ranks.note_gradient(rank);
  std::vector<float> change = parameters_of(ranks, rank);
  for (std::size_t i = 0; i < change.size(); ++i) change[i] -= served[i];
  return change;
}

// Of the ranks that read the parameters when so many updates had been made.
void make_changes(const ServedOrder& order, std::size_t made, const std::vector<float>& served,
                  SerialRanks& ranks, std::vector<Pending>& pending) {
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    Pending& own = pending[rank];
    const bool is_idle = own.change.empty() && own.step < order[rank].size();
    if (is_idle && order[rank][own.step].pulled == made)
      own.change = change_from(served, static_cast<int>(rank), ranks);
  }
}

// Null where nobody's is: an update is missing, or was made twice.
Pending* whose_turn(const ServedOrder& order, std::size_t made, std::vector<Pending>& pending) {
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    Pending& own = pending[rank];
    if (!own.change.empty() && order[rank][own.step].pushed == made) return &own;
  }
  return nullptr;
}

// Which no trajectory is like.
Trajectory of_no_order(const MlpSettings& settings) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Trajectory none;
  none.losses.assign(settings.total_steps, nan);
  none.gradient_norms.assign(settings.total_steps, nan);
  none.parameters.assign(ParameterLayout(settings.shape).floats(), std::numeric_limits<float>::quiet_NaN());
  return none;
}

}  // namespace

Trajectory replay_async_server(const Case& what, RunContext& bench, const ServedOrder& order) {
  MlpSettings settings = bench.settings_for(what, all_steps(bench));
  settings.rows_of_mean = what.batch / static_cast<std::uint32_t>(what.gpus);
  settings.share = 1.0f / static_cast<float>(what.gpus);
  SerialRanks ranks(what, bench, settings, 1);
  std::vector<float> served = parameters_of(ranks, 0);
  std::vector<Pending> pending(order.size());
  const std::size_t updates = order.size() * settings.total_steps;
  for (std::size_t made = 0; made < updates; ++made) {
    make_changes(order, made, served, ranks, pending);
    Pending* const next = whose_turn(order, made, pending);
    if (next == nullptr) return of_no_order(settings);
    for (std::size_t i = 0; i < served.size(); ++i) served[i] += next->change[i];
    next->change.clear();
    next->step += 1;
  }
  const std::span<float> parameters = ranks.parameters(0);
  ranks.device().copy(parameters.data(), served.data(), parameters.size_bytes(), ranks.stream());
  return ranks.trajectory(parameters);
}

}  // namespace breakeven
