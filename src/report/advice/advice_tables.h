// SPDX-License-Identifier: Apache-2.0
// The tables of `breakeven advise`: its configurations, a job in each of them, also before a deadline, and
// what the steps are made of. The columns are declared beside each.
#pragma once

#include <string>
#include <vector>

#include "src/predict/job.h"
#include "src/predict/scan.h"
#include "src/report/format/table.h"

namespace breakeven::report {

// "local-sgd (lossy)", "zero1, peer"; its value is the strategy alone.
Cell strategy_cell(const Case& what);

// " in bf16"; "" of a program that `breakeven wrap` started without --precisions.
std::string in_precision(const Case& what);
// "zero1 on 2 GPUs in bf16", "local-sgd (lossy) on 2 GPUs in bf16"
std::string name_of_configuration(const predict::Configuration& config);

ReportTable configurations_table(const std::vector<predict::Configuration>& configs);

// The same for programs. `break_even_batches` has that of each of them.
ReportTable tidy_configurations(const std::vector<predict::Configuration>& configs,
                                const std::vector<statistics::Interval>& break_even_batches);

// One row a point, for pictures.
ReportTable map_table(const std::vector<predict::MapPoint>& points);

// What the steps of two of them are made of, by the model.
ReportTable why_table(const predict::Configuration& best, const predict::Configuration& single);

// The verdict; "no interval" of a speed-up that was predicted or measured too seldom for one.
Cell verdict_of_advice(const statistics::Decision& decision);
Cell baseline_cell();  // the verdict of one GPU

std::string basis_of(const predict::Configuration& config);  // "measured", "predicted, fitted"

// Whether before the job's deadline: "in time", "undecided", "too late"; a dash without one.
std::string in_time_in_words(const predict::JobEstimate& one, const predict::Job& job);

// A job of so many samples: how long it takes, what it costs, and whether it ends before the deadline.
ReportTable job_table(const std::vector<predict::JobEstimate>& jobs, const predict::Job& job);

// "1e9 samples", "1e9 samples in 2 h".
std::string wanted_in_words(const predict::Job& job);
// "zero1 on 2 GPUs in bf16: 2.50 h (2.31 h–2.72 h), at a cost of 17.5"
std::string in_words(const predict::JobEstimate& job);

// Which configuration is the cheapest that meets the deadline; where none surely does, what would have to
// change. "" where there is no deadline.
std::string deadline_in_words(const std::vector<predict::JobEstimate>& jobs, const predict::Job& job,
                              const predict::Query& query, const predict::Advisor& advisor);

}  // namespace breakeven::report
