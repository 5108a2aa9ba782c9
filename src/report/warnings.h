// SPDX-License-Identifier: Apache-2.0
// Sentences on what makes the numbers of a file less trustworthy than they look. Each function adds those
// that are true of the file.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/file_analysis.h"

namespace breakeven::report {

using Sentences = std::vector<std::string>;

// measurement_warnings.cpp: how the steps were measured.
void warn_losses(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_timing_overhead(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_clocks(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_throttling(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_skipped_steps(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_outliers(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_settling(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_steadiness(const analysis::FileAnalysis& analysis, Sentences& sentences);

}  // namespace breakeven::report
