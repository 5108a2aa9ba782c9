// SPDX-License-Identifier: Apache-2.0
// How good advice is: errors of predicted steps, coverage of the intervals of predicted speed-ups, and how
// often a choice is right, all on cases that were held out.
#pragma once

#include <string>
#include <vector>

#include "src/predict/advisor.h"
#include "src/predict/score.h"
#include "src/report/format/table.h"

namespace breakeven::report {

ReportTable prediction_quality_table(const predict::StepModel& model);
ReportTable coverage_table(const std::vector<predict::HeldOutReview>& reviews);

// With what `auto` chose, where the file has its cases.
ReportTable selectors_table(const std::vector<predict::HeldOutReview>& reviews,
                            const std::vector<analysis::MeasuredCase>& cases);

// Which simpler selectors are as good as `advise`, a sentence for each kind of held-out case.
std::vector<std::string> selectors_in_words(const std::vector<predict::HeldOutReview>& reviews);

// Predictions between measured batches, of cases without a formula; "" if the file has none.
std::string interpolation_in_words(const predict::BetweenBatches& between);

}  // namespace breakeven::report
