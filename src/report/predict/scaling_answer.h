// SPDX-License-Identifier: Apache-2.0
// The answer of `predict` in words: the plan that is recommended, how sure that is, why not more GPUs, at
// most one alternative, and what was left out.
#pragma once

#include <string>
#include <vector>

#include "src/report/predict/scaling_report.h"

namespace breakeven::report {

std::string scaling_answer(const std::vector<predict::ScalePoint>& points, const ScalingRequest& request,
                           const analysis::FileAnalysis& analysis);

// Numbers of GPUs that were asked for but have no configuration, why, and which numbers would; "": none.
std::string left_out_in_words(const std::vector<predict::ScalePoint>& points, const ScalingRequest& request);

}  // namespace breakeven::report
