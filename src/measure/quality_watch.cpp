// SPDX-License-Identifier: Apache-2.0
#include "src/measure/quality_watch.h"

#include <algorithm>
#include <numeric>

#include "mpi/mpi_call.h"
#include "src/train/trained_weights.h"

namespace breakeven::measure {

std::optional<std::uint32_t> steps_to_loss(std::span<const double> losses, std::uint32_t smooth, double limit,
                                           std::uint32_t known) {
  for (std::size_t steps = std::max(smooth, known); steps <= losses.size(); ++steps) {
    const std::span<const double> last = losses.subspan(steps - smooth, smooth);
    if (std::accumulate(last.begin(), last.end(), 0.0) <= limit * smooth)
      return static_cast<std::uint32_t>(steps);
  }
  return std::nullopt;
}

QualityWatch::QualityWatch(const Case& what, RunContext& context, train::Training& training)
    : options_(context.options()),
      device_(context.device()),
      dataset_file_(context.dataset_file()),
      training_(training),
      group_(context.group(what.gpus)) {}

std::uint32_t QualityWatch::judge_losses() {
  const std::uint32_t made = training_.steps_enqueued();
  const std::vector<float> mine = training_.loss_shares(evaluated_, made - evaluated_);
  const std::vector<double> shares(mine.begin(), mine.end());
  std::vector<double> sums(shares.size());
  MPI_CALL(
      MPI_Reduce(shares.data(), sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, 0, group_));
  losses_.insert(losses_.end(), sums.begin(), sums.end());
  const std::uint32_t known = evaluated_ + 1;  // the last evaluation has checked the steps before
  evaluated_ = made;
  return steps_to_loss(losses_, options_.smooth, options_.until->value, known).value_or(0);
}

std::uint32_t QualityWatch::judge_accuracy() {
  const double mine = train::test_accuracy(*dataset_file_, training_, device_);
  double lowest = mine;
  MPI_CALL(MPI_Reduce(&mine, &lowest, 1, MPI_DOUBLE, MPI_MIN, 0, group_));
  return lowest >= options_.until->value ? training_.steps_enqueued() : 0;
}

std::uint32_t QualityWatch::evaluate() {
  std::uint32_t reached = options_.until->measure == QualityMeasure::loss ? judge_losses() : judge_accuracy();
  MPI_CALL(MPI_Bcast(&reached, 1, MPI_UINT32_T, 0, group_));
  return reached;
}

}  // namespace breakeven::measure
