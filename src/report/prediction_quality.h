// SPDX-License-Identifier: Apache-2.0
// How far predictions were from what was measured, on cases that the fit had not seen; and how often a choice
// by them is right.
#pragma once

#include <string>

#include "src/predict/advisor.h"
#include "src/report/table.h"

namespace breakeven {

std::string prediction_quality_in_words();
ReportTable prediction_quality_table(const StepModel& model);
ReportTable selectors_table(const Advisor& advisor);

}  // namespace breakeven
