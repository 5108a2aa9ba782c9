// SPDX-License-Identifier: Apache-2.0
// What a report in brief has of a file with many cases: a sentence for each model and number of GPUs, and
// tables with a row for each strategy and a column for each batch.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/report/table.h"

namespace breakeven::report {

// The answers themselves of models that have few.
std::vector<std::string> answers_in_brief(const analysis::FileAnalysis& analysis);

// Whether they are those of all models.
bool answers_are_all_brief(const analysis::FileAnalysis& analysis);

ReportTable verdict_overview(const analysis::Group& group);
ReportTable loss_overview(const analysis::Group& group);  // no rows where no part is known

}  // namespace breakeven::report
