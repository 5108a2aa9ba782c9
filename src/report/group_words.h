// SPDX-License-Identifier: Apache-2.0
// Names of groups of cases, and of the cases in them.
#pragma once

#include <string>
#include <string_view>

#include "src/analysis/file_analysis.h"

namespace breakeven {

// The axes of a group that tell it from the file's other groups: "medium, fp32, gemm tiled, graph".
std::string title_of(const analysis::FileAnalysis& analysis, const analysis::Group& group);

// What all cases of a group share, the baseline among them, in a sentence.
std::string settings_of(const analysis::Group& group);

// For machines: "base" of the single GPU, "machinery" of an exchanging strategy on one, else the verdict.
std::string_view verdict_word(const Case& what, const Decision& decision);

// "ddp on 2", and where the group has several of them the collective and the scaling: "ddp on 2, mpi, weak".
std::string strategy_of(const Case& what, const analysis::Group& group);
std::string strategy_suffix(const Case& what, const analysis::Group& group);  // "mpi, weak", or ""

}  // namespace breakeven
