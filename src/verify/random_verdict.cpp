// SPDX-License-Identifier: Apache-2.0
#include "src/verify/random_verdict.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "mpi/group.h"
#include "mpi/mpi_call.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/terminate.h"
#include "src/verify/references.h"

namespace breakeven::verify {
namespace {

using Series = std::vector<double>;

// The largest, over the largest of `reference`. If steps may overflow, one that does so in both counts
// nothing. NaN fails.
double largest_difference(const Series& reference, const Series& values, bool may_overflow) {
  double largest = 0, scale = 0;
  for (std::size_t step = 0; step < reference.size(); ++step) {
    if (may_overflow && !std::isfinite(reference[step]) && !std::isfinite(values[step])) continue;
    const double difference = std::abs(values[step] - reference[step]);
    if (!(difference <= largest)) largest = difference;
    if (std::isnan(largest)) return largest;
    scale = std::max(scale, std::abs(reference[step]));
  }
  return largest == 0 ? 0 : largest / scale;
}

template <typename Number, typename Bits>
double differing_bits(const std::vector<Number>& a, const std::vector<Number>& b) {
  double differing = a.size() == b.size() ? 0 : std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    differing += std::bit_cast<Bits>(a[i]) != std::bit_cast<Bits>(b[i]) ? 1 : 0;
  return differing;
}

// On how many ranks the checksum is not that of their replica.
double differing_replicas(const Case& what, double mine, MPI_Comm group) {
  const StrategyChoice& strategy = strategy_of_case(what);
  std::vector<double> sums(static_cast<std::size_t>(what.gpus));
  MPI_CALL(MPI_Allgather(&mine, 1, MPI_DOUBLE, sums.data(), 1, MPI_DOUBLE, group));
  const int stride = strategy.info->replica_stride(strategy.options, what.gpus);
  const bool has_sums = !std::ranges::all_of(sums, [](double sum) { return std::isnan(sum); });
  double differing = 0;
  for (int rank = stride; stride > 0 && has_sums && rank < what.gpus; ++rank)
    differing +=
        sums[static_cast<std::size_t>(rank)] == sums[static_cast<std::size_t>(rank - stride)] ? 0 : 1;
  return differing;
}

constexpr double roundings = 16;
constexpr double least_limit = 1e-4;
constexpr double spreads = 4;

// Against the series of `reference`, one of the references. How far the others are from it says how far
// rounding may be.
Check check_series(std::string_view name, Series Trajectory::*series, const Case& what, const References& of,
                   const Trajectory& reference, const Trajectory& trajectory) {
  const bool may_overflow =
      series == &Trajectory::gradient_norms && info_of(what.precision.value()).scales_loss;
  const auto distance_of = [&](const Trajectory& from) {
    return largest_difference(reference.*series, from.*series, may_overflow);
  };
  return {name, distance_of(trajectory),
          std::max({least_limit, roundings * info_of(what.precision.value()).operand_roundoff,
                    distance_of(of.fp32), spreads * distance_of(of.definition),
                    spreads * distance_of(of.other_order)})};
}

// On rank 0.
std::vector<Check> check_references(const Case& what, measure::RunContext& context,
                                    const Trajectory& trajectory) {
  const References of = train_references(what, context, trajectory.served);
  std::vector<Check> checks{check_series("losses, largest relative difference from those in fp32",
                                         &Trajectory::losses, what, of, of.fp32, trajectory),
                            check_series("losses, largest relative difference", &Trajectory::losses, what, of,
                                         of.definition, trajectory),
                            check_series("losses of one device, largest relative difference",
                                         &Trajectory::losses, what, of, of.definition, of.expected),
                            check_series("norms of the gradient, largest relative difference",
                                         &Trajectory::gradient_norms, what, of, of.definition, trajectory)};
  if (is_replayed(what)) {
    checks.push_back(check_reads(what, of));
    checks.push_back({weights_checks::norm, relative_frobenius(of.expected.parameters, trajectory.parameters),
                      checks.back().limit});
  }
  if (has_definition_bits(what, trajectory))
    checks.push_back(
        {weights_checks::definition, relative_frobenius(of.definition.parameters, trajectory.parameters)});
  return checks;
}

// Over the ranks.
std::vector<Check> check_repeats(const Trajectory& first, const Trajectory& again, MPI_Comm group) {
  std::vector<Check> checks{{"losses whose bits differ between two trainings",
                             differing_bits<double, std::uint64_t>(first.losses, again.losses)},
                            {"weights whose bits differ between two trainings",
                             differing_bits<float, std::uint32_t>(first.parameters, again.parameters)}};
  for (Check& check : checks)
    MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &check.value, 1, MPI_DOUBLE, MPI_SUM, group));
  return checks;
}

std::vector<Check> check_training(const Case& what, const StrategyPromise& promise,
                                  const Trajectory& trajectory, MPI_Comm group) {
  std::vector<Check> checks{{"replicas whose weights have another checksum",
                             differing_replicas(what, trajectory.weights_checksum, group)}};
  if (promise.same_bits_on_ranks)
    checks.push_back(
        {"weights whose bits differ between ranks", different_bits(trajectory.parameters, group)});
  if (!promise.repeatable)
    checks.push_back({weights_checks::counted, std::abs(trajectory.updates_uncounted)});
  return checks;
}

}  // namespace

Verdict verify_twice(const Case& what, measure::RunContext& context) {
  const StrategyChoice& strategy = strategy_of_case(what);
  const StrategyPromise promise = strategy.info->promise(strategy.options);
  MPI_Comm const group = context.group(what.gpus);
  const Trajectory first = train(what, context), again = train(what, context);
  report_activity_as("verify " + label_of(what) + ": references");
  Verdict verdict;
  const auto add = [&](const std::vector<Check>& checks) {
    verdict.checks.insert(verdict.checks.end(), checks.begin(), checks.end());
  };
  if (promise.repeatable || what.gpus == 1) add(check_repeats(first, again, group));
  for (const Trajectory* trajectory : {&first, &again})
    add(check_training(what, promise, *trajectory, group));
  if (rank_in(group) == 0) add(check_references(what, context, first));
  return verdict;
}

}  // namespace breakeven::verify
