// SPDX-License-Identifier: Apache-2.0
// Sentences on what makes the numbers of a file less trustworthy than they look, by subject. Each function
// adds those that are true of the file.
#pragma once

#include <string>
#include <vector>

#include "src/report/analysis.h"

namespace breakeven {

using Sentences = std::vector<std::string>;

// comparison_doubts.cpp
void warn_pairing(const Analysis& analysis, Sentences& sentences);
void warn_base(const Analysis& analysis, Sentences& sentences);
void warn_quality(const Analysis& analysis, Sentences& sentences);
void warn_launches(const Analysis& analysis, Sentences& sentences);

// measurement_doubts.cpp
void warn_timing_overhead(const Analysis& analysis, Sentences& sentences);
void warn_clocks(const Analysis& analysis, Sentences& sentences);
void warn_throttling(const Analysis& analysis, Sentences& sentences);
void warn_losses(const Analysis& analysis, Sentences& sentences);
void warn_skipped_steps(const Analysis& analysis, Sentences& sentences);
void warn_outliers(const Analysis& analysis, Sentences& sentences);
void warn_steadiness(const Analysis& analysis, Sentences& sentences);

}  // namespace breakeven
