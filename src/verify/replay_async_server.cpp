// SPDX-License-Identifier: Apache-2.0
// Repeats the asynchronous server's updates one after another, in the recorded order. Each rank reads the
// parameters after as many updates as it did in the run, and its change is added in its turn.
#include <limits>

#include "kernels/device.h"
#include "src/verify/serial_definition.h"
#include "src/verify/serial_ranks.h"

namespace breakeven::verify {
namespace {

// A change that a rank has computed and not yet pushed, and the step it belongs to.
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

// For the ranks that read the parameters after `made` updates.
void make_changes(const ServedOrder& order, std::size_t made, const std::vector<float>& served,
                  SerialRanks& ranks, std::vector<Pending>& pending) {
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    Pending& own = pending[rank];
    const bool is_idle = own.change.empty() && own.step < order[rank].size();
    if (is_idle && order[rank][own.step].pulled == made)
      own.change = change_from(served, static_cast<int>(rank), ranks);
  }
}

// The rank whose update was number `made`. Null if an update is missing or was made twice.
Pending* whose_turn(const ServedOrder& order, std::size_t made, std::vector<Pending>& pending) {
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    Pending& own = pending[rank];
    if (!own.change.empty() && order[rank][own.step].pushed == made) return &own;
  }
  return nullptr;
}

// All NaN, so that every check fails.
Trajectory invalid_trajectory(const MlpSettings& settings) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Trajectory none;
  none.losses.assign(settings.total_steps, nan);
  none.gradient_norms.assign(settings.total_steps, nan);
  none.parameters.assign(ParameterLayout(settings.shape).floats(), std::numeric_limits<float>::quiet_NaN());
  return none;
}

}  // namespace

Trajectory replay_async_server(const Case& what, measure::RunContext& context, const ServedOrder& order) {
  const MlpSettings settings = settings_with_own_means(what, context);
  SerialRanks ranks(what, context, settings, {});
  std::vector<float> served = parameters_of(ranks, 0);
  std::vector<Pending> pending(order.size());
  const std::size_t updates = order.size() * settings.total_steps;
  for (std::size_t made = 0; made < updates; ++made) {
    make_changes(order, made, served, ranks, pending);
    Pending* const next = whose_turn(order, made, pending);
    if (next == nullptr) return invalid_trajectory(settings);
    for (std::size_t i = 0; i < served.size(); ++i) served[i] += next->change[i];
    next->change.clear();
    next->step += 1;
  }
  const std::span<float> parameters = ranks.parameters(0);
  ranks.device().copy(parameters.data(), served.data(), parameters.size_bytes(), ranks.stream());
  return ranks.trajectory(parameters);
}

}  // namespace breakeven::verify
