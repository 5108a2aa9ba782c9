// SPDX-License-Identifier: Apache-2.0
// `breakeven predict`: the best way on numbers of GPUs that are not here, with its interval and what limits
// it; as text, Markdown, CSV (the curve alone) or JSON. docs/predict.md has every number.
#pragma once

#include <string>
#include <vector>

#include "src/predict/scaling_curve.h"
#include "src/report/goodput_table.h"
#include "src/report/report.h"

namespace breakeven {

inline constexpr int scaling_report_version = 2;

struct ScalingRequest {
  Query query;
  Scaling scaling = Scaling::strong;
  std::vector<int> gpus;
  Machine machine;
  double price_an_hour = 0;  // of one GPU; 0: money is not asked for
  GoodputRequest goodput;
};

// Throws Failure(file) where the results hold nothing from which any of it could be told.
std::string make_scaling_report(const Results& results, const ScalingRequest& request, ReportFormat format);

}  // namespace breakeven
