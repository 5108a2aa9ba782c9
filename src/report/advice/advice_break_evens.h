// SPDX-License-Identifier: Apache-2.0
// Where advice changes: the break-even batch of every plan, and the break-even of the fastest one along the
// batch, the link's bandwidth and the model's width. If the file measured the model at several batches, the
// break-even batch is the report's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/predict/scan.h"
#include "src/report/advice/measured_range.h"
#include "src/report/format/table.h"
#include "src/report/sections/break_evens.h"

namespace breakeven::report {

// What is varied, and the speed-ups at every value.
struct Turning {
  std::string key;            // "link_bandwidth"
  std::string name;           // "link bandwidth"
  std::string configuration;  // "the fastest", "zero1 on 2 GPUs in bf16"
  PlaceText unit;
  std::vector<statistics::BreakEvenPoint> places;
  bool is_measured = false;
  std::string basis{};  // "measured", "predicted", "predicted, partly beyond the measured batches 16 to 64"
  Span within{};        // values of `at` that leave neither the measured batches nor the measured sizes
  std::vector<predict::ScanPoint> points{};  // of the fastest
  std::optional<Case> plan{};                // of a plan
};

// Three of the fastest, then one of each plan along the batch. `single` is the fastest single GPU, if there
// is one.
std::vector<Turning> look_around(const predict::Advisor& advisor, const analysis::FileAnalysis& analysis,
                                 const predict::Query& query, const predict::Configuration* single);

// A sentence for each that is of the fastest configuration.
std::vector<std::string> turnings_in_words(const std::vector<Turning>& turnings);

// Every value that was tried with the fastest configuration.
ReportTable turning_points_table(const std::vector<Turning>& turnings);

// The bands of all of them, for people and for programs.
ReportTable bands_table(const std::vector<Turning>& turnings);
ReportTable tidy_bands(const std::vector<Turning>& turnings);

// The break-even batch of a plan and its 95 % band, the last if there are two; NaN: not known, or none.
statistics::Interval break_even_batch(const Case& plan, const std::vector<Turning>& turnings);

}  // namespace breakeven::report
