// SPDX-License-Identifier: Apache-2.0
// The tables of `breakeven advise`: its configurations, a job in each of them, what the steps are made of,
// where the answer changes, and how good predictions are. The columns are declared beside each.
#pragma once

#include <string>
#include <vector>

#include "src/predict/job.h"
#include "src/predict/scan.h"
#include "src/report/break_evens.h"
#include "src/report/table.h"

namespace breakeven::report {

// "zero1 on 2 GPUs in bf16"
std::string name_of_way(const predict::Configuration& way);

ReportTable ways_table(const std::vector<predict::Configuration>& ways);

// One row a point, for pictures.
ReportTable map_table(const std::vector<predict::MapPoint>& points);

// What the steps of two of them are made of, by the model.
ReportTable why_table(const predict::Configuration& best, const predict::Configuration& single);

// A job of so many samples: how long it takes, what it costs, and whether it ends before the deadline.
ReportTable job_table(const std::vector<predict::JobEstimate>& jobs, const predict::Job& job);

// What is varied for the answer to change: batch, link, width of the model; at every point that was tried.
struct Turning {
  std::string key;   // "link_bandwidth"
  std::string name;  // "link bandwidth"
  std::string what;  // "link bandwidths (multiples of this machine's)"
  PlaceText unit;
  std::vector<predict::ScanPoint> points;
};
ReportTable turning_points_table(const std::vector<Turning>& turnings);

// How far predictions were from what was measured, on cases that the fit had not seen; and how often a choice
// by them is right.
ReportTable prediction_quality_table(const predict::StepModel& model);
ReportTable selectors_table(const predict::Advisor& advisor);

}  // namespace breakeven::report
