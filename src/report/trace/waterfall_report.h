// SPDX-License-Identifier: Apache-2.0
// The kernels of one case on all ranks: the median step node by node, and everything that was recorded as
// JSON.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/waterfall.h"
#include "src/core/records/results.h"
#include "src/core/records/traced_rank.h"
#include "src/report/format/report_format.h"

namespace breakeven::report {

struct KernelTrace {
  Launch launch;
  std::string label;  // of the case
  std::vector<TracedRank> ranks;
  std::vector<analysis::NodeSteps> steps;  // by rank
};

KernelTrace make_kernel_trace(Launch launch, std::string label, std::vector<TracedRank> ranks);

// The first rank's reason why nodes cannot be assigned to steps, or records were lost; "" where all is well.
std::string problem_of(const KernelTrace& trace);

std::string waterfall_report(const KernelTrace& trace, ReportFormat format);

}  // namespace breakeven::report
