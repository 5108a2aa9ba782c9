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
void doubt_pairing(const Analysis& analysis, Sentences& sentences);
void doubt_base(const Analysis& analysis, Sentences& sentences);
void doubt_quality(const Analysis& analysis, Sentences& sentences);
void doubt_launches(const Analysis& analysis, Sentences& sentences);

// measurement_doubts.cpp
void doubt_observer(const Analysis& analysis, Sentences& sentences);
void doubt_clocks(const Analysis& analysis, Sentences& sentences);
void doubt_throttling(const Analysis& analysis, Sentences& sentences);
void doubt_losses(const Analysis& analysis, Sentences& sentences);
void doubt_skipped_steps(const Analysis& analysis, Sentences& sentences);
void doubt_outliers(const Analysis& analysis, Sentences& sentences);
void doubt_steadiness(const Analysis& analysis, Sentences& sentences);

}  // namespace breakeven
