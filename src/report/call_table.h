// SPDX-License-Identifier: Apache-2.0
// The calls that `predict` knows from measurements, and how far the fitted formula is off there.
#pragma once

#include "src/predict/scale_model.h"
#include "src/report/table.h"

namespace breakeven::report {

ReportTable calls_table(const predict::ScaleModel& model);
ReportTable printed_calls(const predict::ScaleModel& model);  // for people: "20 %, assumed" in one cell

}  // namespace breakeven::report
