// SPDX-License-Identifier: Apache-2.0
// What predictions for more GPUs rest on: the machine's levels, the calls that were measured, how far the
// formula is off there.
#pragma once

#include <string>
#include <vector>

#include "src/predict/scale_model.h"
#include "src/report/table.h"

namespace breakeven {

std::vector<std::string> basis_in_words(const ScaleModel& model);
ReportTable levels_table(const ScaleModel& model);
ReportTable calls_table(const ScaleModel& model);

}  // namespace breakeven
