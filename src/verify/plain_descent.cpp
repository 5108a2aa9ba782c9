// SPDX-License-Identifier: Apache-2.0
#include "src/verify/plain_descent.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "mpi/group.h"
#include "mpi/mpi_call.h"
#include "src/core/terminate.h"
#include "src/verify/references.h"
#include "src/verify/serial_definition.h"
#include "src/verify/trajectory.h"

namespace breakeven::verify {
namespace {

constexpr double weights_limit = 1e-5;
constexpr double path_limit = 1e-4;
constexpr double largest_path_limit = 1e-2;  // weights that hardly move prove nothing
constexpr std::uint32_t nudged_references = 8;

struct Deviation {
  double of_weights = 0;  // relative to their norm
  double of_path = 0;     // relative to the distance moved
  double path_limit = 0;

  bool within_limits() const { return of_weights <= weights_limit && of_path <= path_limit; }  // NaN is not
};

measure::RunOptions descending(measure::RunOptions options) {
  options.optimizer = OptimizerKind::sgd;
  options.learning_rate = plain_descent_rate;
  return options;
}

// How far the steps would have moved the weights if all had gone in one direction.
double path_length(const Trajectory& trajectory) {
  return plain_descent_rate *
         std::accumulate(trajectory.gradient_norms.begin(), trajectory.gradient_norms.end(), 0.0);
}

// Rounding to fp32 moves a weight by up to half a unit in its last place: weights by 0.4 * 2^-24 of their
// norm in the root mean square, and n independent roundings by sqrt(n) times that. A lossy strategy that
// averages weights rounds them otherwise than its definition, up to six times a step (sums of 12 ranks one
// after another, the mean, and the definition's). After T steps that is 2^-24 sqrt(T) of the norm, which
// exceeds path_limit if the steps are few or the gradients small.
double path_limit_of(const Trajectory& reference, bool exact) {
  if (exact) return path_limit;
  const double roundings = 0x1p-24 * std::sqrt(static_cast<double>(reference.losses.size()));
  return std::clamp(roundings * norm(reference.parameters) / path_length(reference), path_limit,
                    largest_path_limit);
}

Deviation deviation(const Trajectory& reference, const Trajectory& trajectory, bool exact) {
  const double away = distance(reference.parameters, trajectory.parameters);
  return {.of_weights = away / norm(reference.parameters),
          .of_path = away / path_length(reference),
          .path_limit = path_limit_of(reference, exact)};
}

bool is_root(MPI_Comm group) { return rank_in(group) == 0; }

// Calls use(reference) on rank 0 with the serial definition of each nudge, while go_on() there. The other
// ranks wait; each reference has the whole time limit.
template <typename GoOn, typename Use>
void with_nudged_references(const Case& what, measure::RunContext& context, const StrategyChoice& strategy,
                            GoOn go_on, Use use) {
  MPI_Comm const group = context.group(what.gpus);
  const SerialDefinition define = serial_definition_of(strategy);
  for (std::uint32_t nudge = 1; nudge <= nudged_references; ++nudge) {
    report_activity_as(fmt::format("verify {}: reference from nudged weights, {} of {}", label_of(what),
                                   nudge, nudged_references));
    int goes_on = is_root(group) && go_on() ? 1 : 0;
    MPI_CALL(MPI_Bcast(&goes_on, 1, MPI_INT, 0, group));
    if (goes_on == 0) return;
    if (is_root(group)) use(define(of_one_copy(what, strategy), context, {.pieces = 2, .nudge = nudge}));
  }
}

// The largest distances that nudges move the weights by.
struct Spread {
  double mean = 0;
  double norm = 0;
};

Spread spread_of_nudges(const Case& what, measure::RunContext& context, const StrategyChoice& strategy) {
  MPI_Comm const group = context.group(what.gpus);
  std::vector<float> definition;
  if (is_root(group))
    definition = serial_definition_of(strategy)(of_one_copy(what, strategy), context, {}).parameters;
  Spread spread;
  with_nudged_references(
      what, context, strategy, [] { return true; },
      [&](const Trajectory& nudged) {
        spread.mean = std::max(spread.mean, mean_difference(definition, nudged.parameters));
        spread.norm = std::max(spread.norm, relative_frobenius(definition, nudged.parameters));
      });
  MPI_CALL(MPI_Bcast(&spread, 2, MPI_DOUBLE, 0, group));
  return spread;
}

std::vector<Check> descend(const Case& what, measure::RunContext& context, const StrategyChoice& strategy,
                           Communicator* communicator) {
  const measure::RunOptions options = descending(context.options());
  measure::RunContext descent(context.session(), context.device(), options, context.dataset_file());
  return compare_plain_descent(what, descent, strategy, train(what, descent, strategy, communicator));
}

// Where rounding may widen the limit of a check of Adam's weights: the widest. 0: nowhere.
double coarse_limit(const Check& check) {
  if (check.what == weights_checks::mean) return weights_checks::coarse_mean;
  const bool is_norm = check.what == weights_checks::norm || check.what == weights_checks::definition;
  return is_norm && check.limit > 0 ? weights_checks::coarse_norm : 0;
}

bool rounds_like_fp32(const Case& what) {
  return info_of(what.precision.value()).operand_roundoff <= 0x1p-22;
}

}  // namespace

std::vector<Check> compare_plain_descent(const Case& what, measure::RunContext& descent,
                                         const StrategyChoice& strategy, const Trajectory& trajectory) {
  MPI_Comm const group = descent.group(what.gpus);
  const bool exact = strategy.info->promise(strategy.options).exact;
  Deviation nearest;
  if (is_root(group)) {
    const Case single = single_device_case(what);
    nearest = deviation(exact ? train(single, descent, strategy_of_case(single), nullptr)
                              : serial_definition_of(strategy)(what, descent, {}),
                        trajectory, exact);
  }
  with_nudged_references(
      what, descent, strategy, [&] { return !nearest.within_limits(); },
      [&](const Trajectory& nudged) {
        const Deviation next = deviation(nudged, trajectory, exact);
        if (next.of_path < nearest.of_path) nearest = next;  // NaN stays
      });
  MPI_CALL(MPI_Bcast(&nearest, 3, MPI_DOUBLE, 0, group));
  return {{"weights against plain descent, relative Frobenius norm", nearest.of_weights, weights_limit},
          {"weights against plain descent, relative to distance moved", nearest.of_path, nearest.path_limit}};
}

std::vector<Check> check_plain_descent(const Case& what, measure::RunContext& context,
                                       const StrategyChoice& strategy, Communicator* communicator) {
  if (!strategy.info->traits.splits_model || what.precision != Precision::fp32) return {};
  return descend(what, context, strategy, communicator);
}

std::vector<Check> check_plain_descent(const Case& what, measure::RunContext& context) {
  return check_plain_descent(what, context, strategy_of_case(what),
                             context.communicator(what.transport.value(), what.gpus));
}

void settle_by_plain_descent(const Case& what, measure::RunContext& context, Verdict& verdict) {
  const StrategyChoice& strategy = strategy_of_case(what);
  const bool repeatable = strategy.info->promise(strategy.options).repeatable;
  const auto may_be_rounding = [](const Check& check) { return check.passed() || coarse_limit(check) > 0; };
  if (verdict.passed() || !repeatable || !rounds_like_fp32(what) || strategy.info->traits.splits_model ||
      !std::ranges::all_of(verdict.checks, may_be_rounding))
    return;
  const Spread spread = spread_of_nudges(what, context, strategy);
  for (Check& check : verdict.checks) {
    const double by_rounding = 2 * (check.what == weights_checks::mean ? spread.mean : spread.norm);
    check.limit = std::max(check.limit, std::min(by_rounding, coarse_limit(check)));
  }
  if (!verdict.passed()) return;
  for (const Check& check :
       descend(what, context, strategy, context.communicator(what.transport.value(), what.gpus)))
    verdict.checks.push_back(check);
}

}  // namespace breakeven::verify
