// SPDX-License-Identifier: Apache-2.0
// What a report in brief has of a model with many cases: a row for each strategy and a column for each batch.
#pragma once

#include "src/analysis/file_analysis.h"
#include "src/report/table.h"

namespace breakeven::report {

ReportTable verdict_overview(const analysis::Group& group);

}  // namespace breakeven::report
