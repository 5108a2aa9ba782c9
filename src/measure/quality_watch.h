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

namespace breakeven {

// The number of steps after which the mean of the last `smooth` losses was at most `limit` for the first
// time, or none. The result is at least `known`. A NaN loss makes every mean that includes it NaN.
std::optional<std::uint32_t> steps_to_loss(std::span<const double> losses, std::uint32_t smooth, double limit,
                                           std::uint32_t known);

class QualityWatch {
 public:
  // All borrowed; --until is given.
  QualityWatch(const Case& what, RunContext& bench, Training& training);

  // After how many steps of training, the warm-up's among them, the quality was reached; 0 where it is not
  // yet. Collective over the ranks of the case, and the same answer on all of them.
  //
  // The loss is that of the whole batch, averaged over the last --smooth steps; every step since the last
  // look is judged, so that the answer is exact to a step. The accuracy is that of this moment and of the
  // rank where it is lowest.
  std::uint32_t look();

 private:
  // On the root; the other ranks answer anything.
  std::uint32_t judge_losses();
  std::uint32_t judge_accuracy();

  const RunOptions& options_;
  Device& device_;
  const DatasetFile* dataset_file_;
  Training& training_;
  MPI_Comm group_;
  std::vector<double> losses_;  // of the whole batch, of all steps that were looked at; on the root
  std::uint32_t looked_at_ = 0;
};

}  // namespace breakeven
