// SPDX-License-Identifier: Apache-2.0
// What would have to change for the answer to turn: batch, link, size of the model, length of the job.
#pragma once

#include <string>
#include <vector>

#include "src/predict/advisor.h"
#include "src/report/table.h"

namespace breakeven {

std::vector<std::string> turning_points(const Advisor& advisor, const Question& question);
// Every point that was looked at.
ReportTable turning_points_table(const Advisor& advisor, const Question& question);

}  // namespace breakeven
