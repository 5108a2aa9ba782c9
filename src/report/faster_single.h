// SPDX-License-Identifier: Apache-2.0
// That one GPU is faster with other settings than those of the answer, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/analysis/case_result.h"

namespace breakeven::report {

// Of the cases of one answer: at which batches, and where it matters most with which settings, by how much,
// and the speed-up over that single GPU. `one` is "one GPU" or "one host device". "" where none is shown to
// be faster.
std::string faster_single_in_words(const std::vector<const analysis::CaseResult*>& lines,
                                   std::string_view one);

}  // namespace breakeven::report
