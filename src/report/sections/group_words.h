// SPDX-License-Identifier: Apache-2.0
// Names of groups of cases, and of the cases in them.
#pragma once

#include <string>
#include <string_view>

#include "src/analysis/file_analysis.h"
#include "src/core/axes.h"

namespace breakeven::report {

// The model and the settings in which the file's groups differ: "medium, fp32, gemm tiled, graph".
std::string title_of(const analysis::FileAnalysis& analysis, const analysis::Group& group);

std::string settings_in_title(const analysis::FileAnalysis& analysis,
                              const Case& key);  // "fp32, gemm tiled", or ""

// What all cases of a group share, the baseline among them, in two sentences.
std::string settings_of(const analysis::Group& group);

// In place of a verdict, for cases that have none.
struct SpecialVerdict {
  std::string_view key;
  std::string_view label;
};
inline constexpr SpecialVerdict is_baseline{"base", "one GPU"};
inline constexpr SpecialVerdict chose_one_gpu{"one_gpu", "one GPU (chosen)"};
inline constexpr SpecialVerdict is_overhead{"strategy_overhead", "strategy on one GPU"};

// For programs: the key of a special verdict or of the verdict.
std::string_view verdict_word(const Case& what, const statistics::Decision& decision);

// "large batch 128 ddp on 2", "... ddp on 2, peer", without settings.
std::string case_in_words(const Case& what);

// The batch that was typed: "1,024"; with weak scaling that of each GPU, "512 a GPU".
std::string batch_in_words(const Case& what);

// "ddp on 2", and where the group has several of them the collective and the scaling: "ddp on 2, mpi, weak".
// Weak scaling is always named.
std::string strategy_of(const Case& what, const analysis::Group& group);
// ", weak scaling", and ", strong scaling" where the group has weak scaling too; else "".
std::string scaling_in_words(Scaling scaling, const analysis::Group& group);
std::string strategy_suffix(const Case& what, const analysis::Group& group);   // "mpi, weak", or ""
std::string transport_suffix(const Case& what, const analysis::Group& group);  // "mpi", or ""

}  // namespace breakeven::report
