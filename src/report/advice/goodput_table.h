// SPDX-License-Identifier: Apache-2.0
// Goodput: the speed of each best configuration after failures, checkpoints and uneven ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/predict/scaling_curve.h"
#include "src/report/format/table.h"

namespace breakeven::report {

struct GoodputRequest {
  double gpu_mtbf_seconds = 0;               // of one GPU; 0: no goodput
  std::optional<double> checkpoint_seconds;  // else the state's bytes over the disk's bandwidth
  double disk_bytes_per_second = 0;
  double restart_seconds = 300;
  std::optional<double> interval_seconds;  // between checkpoints; else the best
  double job_seconds = 30.0 * 24 * 3600;   // of work
};

std::string goodput_in_words(const GoodputRequest& request);
ReportTable goodput_table(const std::vector<predict::ScalePoint>& points, const predict::ScaleModel& model,
                          const GoodputRequest& request);

}  // namespace breakeven::report
