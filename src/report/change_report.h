// SPDX-License-Identifier: Apache-2.0
// `breakeven compare`: two files of results, case by case, as text, Markdown, CSV or JSON. docs/compare.md
// has every number.
#pragma once

#include <optional>
#include <string>

#include "src/analysis/file_analysis.h"
#include "src/report/report_format.h"

namespace breakeven::report {

inline constexpr int change_report_version = 2;

struct ChangeReport {
  std::string text;
  bool is_gate_met = true;  // cases were compared, and none is proved slower by more; true without a gate
};

// `gate` is a share: 0.05 for 5 %.
ChangeReport make_change_report(const analysis::FileAnalysis& before, const analysis::FileAnalysis& after,
                                ReportFormat format, std::optional<double> gate);

}  // namespace breakeven::report
