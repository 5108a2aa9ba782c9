// SPDX-License-Identifier: Apache-2.0
// `breakeven compare`: two files of results, case by case, as text, Markdown, CSV or JSON. docs/compare.md
// has every number.
#pragma once

#include <optional>
#include <string>

#include "src/core/records/results.h"
#include "src/report/report.h"

namespace breakeven {

inline constexpr int change_report_version = 2;

struct ChangeReport {
  std::string text;
  bool is_gate_met = true;  // cases were compared, and none is proved slower beyond it; true without a gate
};

// `gate` is a share: 0.05 of 5 %.
ChangeReport make_change_report(const Results& before, const Results& after, ReportFormat format,
                                std::optional<double> gate);

}  // namespace breakeven
