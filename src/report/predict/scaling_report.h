// SPDX-License-Identifier: Apache-2.0
// `breakeven predict`: the best configuration on numbers of GPUs that are not here, with its interval and
// what limits it; and predictions of measured cases, to see how good they are. As text, Markdown, CSV or
// JSON. docs/predict.md has every number.
#pragma once

#include <string>
#include <vector>

#include "src/predict/scaling_curve.h"
#include "src/report/advice/goodput_table.h"
#include "src/report/format/report_format.h"

namespace breakeven::report {

struct ScalingRequest {
  predict::Query query;
  Scaling scaling = Scaling::strong;
  std::vector<int> gpus;
  predict::Machine machine;
  double least_efficiency = 0;  // below which no number of GPUs is recommended
  double price_an_hour = 0;     // of one GPU; 0: money is not asked for
  GoodputRequest goodput;
};

// The CSV is the curve alone. Throws Failure(file) where the results hold nothing to predict from, and
// Failure(usage) where no configuration is possible on any of the numbers of GPUs.
std::string make_scaling_report(const analysis::FileAnalysis& analysis, const ScalingRequest& request,
                                ReportFormat format);

// `--hold-out-gpus N`: predictions of measured cases from those on fewer GPUs, case by case. Throws
// Failure(file) where the file has no case on so many GPUs, or none on fewer from which to predict.
std::string make_hold_out_report(const analysis::FileAnalysis& analysis, int gpus, ReportFormat format);

}  // namespace breakeven::report
