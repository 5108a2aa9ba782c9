// SPDX-License-Identifier: Apache-2.0
// The tables of a scaling curve, for people and for machines; and what its predictions rest on.
#pragma once

#include <string>
#include <vector>

#include "src/predict/scaling_curve.h"
#include "src/report/format/table.h"

namespace breakeven::report {

// "1.14 ms (868 µs–1.50 ms)": intervals of extrapolated steps are asymmetric.
std::string range_of(const statistics::Interval& seconds);

// The best configuration on each number of GPUs.
ReportTable curve_table(const std::vector<predict::ScalePoint>& points);
// The limits of its speed-ups and the cost of its samples; without a price no cost.
ReportTable bounds_table(const std::vector<predict::ScalePoint>& points, double price_an_hour);
// Where a step's time goes on each number of GPUs.
ReportTable parts_table(const std::vector<predict::ScalePoint>& points);

// For machines: the curve with every interval's ends and the ideal; of the measured configurations
// the fastest on each number of GPUs, which need not be the curve's.
ReportTable curve_data(const std::vector<predict::ScalePoint>& points, double price_an_hour);
ReportTable measured_data(const std::vector<predict::ScalePoint>& points);

std::vector<std::string> basis_in_words(const predict::ScaleModel& model);
ReportTable levels_table(const predict::ScaleModel& model);

// call_table.cpp: the measured calls, and how far the fitted formula is from them.
ReportTable calls_table(const predict::ScaleModel& model);
ReportTable printed_calls(const predict::ScaleModel& model);  // for people: "20 %, assumed" in one cell

}  // namespace breakeven::report
