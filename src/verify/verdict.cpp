// SPDX-License-Identifier: Apache-2.0
#include "src/verify/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "mpi/group.h"
#include "mpi/mpi_call.h"
#include "mpi/pieces.h"
#include "src/strategy/strategy.h"

namespace breakeven::verify {
namespace {

double mean(std::vector<double>::const_iterator begin, std::vector<double>::const_iterator end) {
  return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
}

double last_losses_difference(const Trajectory& a, const Trajectory& b) {
  const auto last = static_cast<std::ptrdiff_t>(std::min<std::size_t>(10, a.losses.size()));
  return std::abs(mean(a.losses.end() - last, a.losses.end()) - mean(b.losses.end() - last, b.losses.end()));
}

bool overflows(const Trajectory& trajectory, std::size_t step) {
  return !std::isfinite(trajectory.gradient_norms[step]);
}

double differing_overflows(const Trajectory& a, const Trajectory& b) {
  double steps = 0;
  for (std::size_t step = 0; step < a.gradient_norms.size(); ++step) {
    steps += overflows(a, step) != overflows(b, step) ? 1 : 0;
  }
  return steps;
}

// Over the steps that do not overflow in both. NaN if a step overflows in only one.
double correlation(const Trajectory& trajectory_a, const Trajectory& trajectory_b) {
  std::vector<double> a, b;
  for (std::size_t step = 0; step < trajectory_a.gradient_norms.size(); ++step) {
    if (overflows(trajectory_a, step) && overflows(trajectory_b, step)) continue;
    a.push_back(trajectory_a.gradient_norms[step]);
    b.push_back(trajectory_b.gradient_norms[step]);
  }
  const double mean_a = mean(a.begin(), a.end());
  const double mean_b = mean(b.begin(), b.end());
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  // Clipped norms may all equal the limit; then only their size can be compared.
  const auto is_flat = [&](double squares, double mean) {
    return squares <= static_cast<double>(a.size()) * std::pow(1e-6 * mean, 2);
  };
  if (is_flat(aa, mean_a) && is_flat(bb, mean_b)) return 1 - std::abs(mean_b / mean_a - 1);
  return ab / std::sqrt(aa * bb);
}

// In the first step in which neither overflows. Adam's updates are the same for any factor on the gradient,
// so no other check shows a wrong factor. NaN if there is no such step.
double first_norm_difference(const Trajectory& expected, const Trajectory& trajectory) {
  for (std::size_t step = 0; step < expected.gradient_norms.size(); ++step) {
    const double norm = expected.gradient_norms[step];
    if (overflows(expected, step) || overflows(trajectory, step) || norm == 0) continue;
    return std::abs(trajectory.gradient_norms[step] - norm) / norm;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// Over the whole curves, so that small losses count little.
double relative_difference(const std::vector<double>& reference, const std::vector<double>& losses) {
  double difference = 0, whole = 0;
  for (std::size_t step = 0; step < reference.size(); ++step) {
    difference += std::abs(losses[step] - reference[step]);
    whole += reference[step];
  }
  return difference / whole;
}

StrategyPromise promise_of(const Case& what) {
  const StrategyChoice strategy = strategy_of_case(what);
  return strategy.info->promise(strategy.options);
}

bool splits_model(const Case& what) { return strategy_of_case(what).info->traits.splits_model; }

// How far rounding moves the weights: sums in another order, or of operands in fp32. In a replay, other
// operands move single updates only, which is no rounding of the run.
template <typename Distance>
double by_rounding(const Case& what, const References& references, const Distance& distance) {
  const std::vector<float>& definition = references.definition.parameters;
  const double by_order = distance(definition, references.other_order.parameters);
  return is_replayed(what) ? by_order : std::max(distance(definition, references.fp32.parameters), by_order);
}

double norm_limit_of(const Case& what, const References& references) {
  return std::max(splits_model(what) ? weights_checks::coarse_norm : 1e-5,
                  2 * by_rounding(what, references, relative_frobenius));
}

std::vector<Check> check_weights(const Case& what, const References& references,
                                 const Trajectory& trajectory) {
  const std::vector<float>& weights = trajectory.parameters;
  const std::vector<float>& expected = references.expected.parameters;
  const double mean_limit = std::max(splits_model(what) ? weights_checks::coarse_mean : 1e-4,
                                     2 * by_rounding(what, references, mean_difference));
  const double norm_limit = norm_limit_of(what, references);
  return {{weights_checks::mean, mean_difference(expected, weights), mean_limit},
          {weights_checks::norm, relative_frobenius(expected, weights), norm_limit},
          {weights_checks::definition, relative_frobenius(references.definition.parameters, weights),
           has_definition_bits(what, trajectory) ? 0 : norm_limit}};
}

std::vector<Check> measure_checks(const Case& what, const References& references,
                                  const Trajectory& trajectory) {
  const Trajectory& expected = references.expected;
  std::vector<Check> checks{
      {"mean of the last ten losses, difference", last_losses_difference(expected, trajectory), 0.01},
      {"norms of the gradient, correlation", correlation(expected, trajectory), 0.95, true},
      {"norm of the first gradient, relative difference", first_norm_difference(expected, trajectory), 0.01}};
  for (Check& check : check_weights(what, references, trajectory)) checks.push_back(check);
  if (info_of(what.precision.value()).scales_loss) {
    checks.push_back({"steps that only one of the two skipped for overflow",
                      differing_overflows(expected, trajectory), 0});
  }
  if (what.precision != Precision::fp32) {
    checks.push_back({"losses, relative difference from those in fp32",
                      relative_difference(references.fp32.losses, trajectory.losses), 0.02});
  }
  return checks;
}

}  // namespace

bool has_definition_bits(const Case& what, const Trajectory& trajectory) {
  const StrategyPromise promise = promise_of(what);
  return promise.definition_bits && !trajectory.whole_steps && (what.gpus <= 2 || promise.in_rank_order);
}

double different_bits(const std::vector<float>& mine, MPI_Comm group) {
  std::vector<float> roots = mine;
  for_each_piece(roots.size(), [&](std::size_t offset, int floats) {
    MPI_CALL(MPI_Bcast(roots.data() + offset, floats, MPI_FLOAT, 0, group));
  });
  double different = 0;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    different += std::memcmp(&mine[i], &roots[i], sizeof(float)) != 0 ? 1 : 0;
  }
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &different, 1, MPI_DOUBLE, MPI_SUM, group));
  return different;
}

bool is_replayed(const Case& what) { return !promise_of(what).repeatable && what.gpus > 1; }

Check check_reads(const Case& what, const References& references) {
  return {"parameters read, relative distance from those served", references.expected.read_distance,
          norm_limit_of(what, references)};
}

bool Verdict::passed() const { return !checks.empty() && std::ranges::all_of(checks, &Check::passed); }

Verdict compare(const Case& what, const References& references, const Trajectory& trajectory,
                MPI_Comm group) {
  const int rank = rank_in(group);
  // The other ranks make the same checks without references; rank 0's values replace theirs.
  const References any =
      rank == 0 ? References{} : References{trajectory, trajectory, trajectory, trajectory};
  const References& against = rank == 0 ? references : any;
  Verdict verdict{measure_checks(what, against, trajectory)};
  if (!promise_of(what).repeatable)
    verdict.checks.push_back({weights_checks::counted, std::abs(trajectory.updates_uncounted), 0});
  if (is_replayed(what)) verdict.checks.push_back(check_reads(what, against));
  if (promise_of(what).same_bits_on_ranks) {
    verdict.checks.push_back(
        {"weights whose bits differ between ranks", different_bits(trajectory.parameters, group), 0});
  }
  for (Check& check : verdict.checks) {
    MPI_CALL(MPI_Bcast(&check.value, 1, MPI_DOUBLE, 0, group));
    MPI_CALL(MPI_Bcast(&check.limit, 1, MPI_DOUBLE, 0, group));
  }
  return verdict;
}

}  // namespace breakeven::verify
