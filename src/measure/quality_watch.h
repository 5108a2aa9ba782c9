// SPDX-License-Identifier: Apache-2.0
// Whether training has reached the quality that --until asks for. An evaluation runs between two stretches of
// measured steps, when the device is idle and no step is being timed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/measure/run_context.h"
#include "src/train/training.h"

namespace breakeven::measure {

// The number of steps after which the mean of the last `smooth` losses was at most `limit` for the first
// time, or none. The result is at least `known`. A NaN loss makes every mean that includes it NaN.
std::optional<std::uint32_t> steps_to_loss(std::span<const double> losses, std::uint32_t smooth, double limit,
                                           std::uint32_t known);

class QualityWatch {
 public:
  // All borrowed; --until is given.
  QualityWatch(const Case& what, RunContext& context, train::Training& training);

  // The number of training steps, warm-up included, after which the target was reached; 0 if it is not
  // reached yet. Collective over the ranks of the case; all get the same answer.
  //
  // A loss target uses the loss of the whole batch, averaged over the last --smooth steps. All steps since
  // the last evaluation are checked, so the answer is exact to a step. An accuracy target uses the current
  // accuracy of the rank with the lowest.
  std::uint32_t evaluate();

 private:
  // The results count on rank 0 only.
  std::uint32_t judge_losses();
  std::uint32_t judge_accuracy();

  const RunOptions& options_;
  Device& device_;
  const data::DatasetFile* dataset_file_;
  train::Training& training_;
  MPI_Comm group_;
  std::vector<double> losses_;  // on rank 0: of the whole batch, of all evaluated steps
  std::uint32_t evaluated_ = 0;
};

}  // namespace breakeven::measure
