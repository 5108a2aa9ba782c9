// SPDX-License-Identifier: Apache-2.0
// `breakeven compare`: two files of results, case by case, as text, Markdown, CSV or JSON. docs/compare.md
// has every number.
#pragma once

#include <optional>
#include <string>

#include "src/analysis/case_change.h"
#include "src/analysis/file_analysis.h"
#include "src/report/format/report_format.h"

namespace breakeven::report {

struct ChangeReport {
  std::string text;
  std::optional<analysis::GateVerdict> gate;          // the worst of all cases; nothing without a gate
  bool has_wrong_old = false, has_wrong_new = false;  // numbers of compared cases (number_fault.h)
};

// `gate` is a share: 0.05 for 5 %. Throws a Failure where the files have no measured case in common.
ChangeReport make_change_report(const analysis::FileAnalysis& before, const analysis::FileAnalysis& after,
                                ReportFormat format, std::optional<double> gate);

}  // namespace breakeven::report
