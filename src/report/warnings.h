// SPDX-License-Identifier: Apache-2.0
// Sentences on what makes the numbers of a file less trustworthy than they look, by subject. Each function
// adds those that are true of the file.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/file_analysis.h"

namespace breakeven {

using Sentences = std::vector<std::string>;

// comparison_doubts.cpp
void warn_pairing(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_base(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_quality(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_launches(const analysis::FileAnalysis& analysis, Sentences& sentences);

// measurement_doubts.cpp
void warn_timing_overhead(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_clocks(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_throttling(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_losses(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_skipped_steps(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_outliers(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_steadiness(const analysis::FileAnalysis& analysis, Sentences& sentences);

}  // namespace breakeven
