// SPDX-License-Identifier: Apache-2.0
// The answer in a line that can be read aloud: "large on 2x NVIDIA H200, ddp: slower up to batch 4,096,
// faster from batch 8,192 (at 8,192 1.23 (1.19–1.27) times as fast, 95 % CI between 5 launches, settled)".
#pragma once

#include <string>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/report/sections/break_even_curves.h"

namespace breakeven::report {

// For one model and number of GPUs: the only configuration by rising batch, or the fastest of several.
struct Verdict {
  const analysis::Group* group = nullptr;
  BreakEvenCurve curve;
  const analysis::CaseResult* evidence = nullptr;  // of the speed-up that the line gives
  std::string sentence;
};

// Smaller models first. None where no case on more than one GPU was compared with one GPU.
std::vector<Verdict> verdicts_of(const analysis::FileAnalysis& analysis);

// Each line, or where there are more than a few one line that counts them, if a table of break-evens has
// them. At least one: where nothing was compared it says what is missing. Then the planned cases that have no
// measured run, if there are any.
std::vector<std::string> verdicts_in_brief(const analysis::FileAnalysis& analysis,
                                           const std::vector<Verdict>& verdicts);
inline constexpr std::size_t most_verdict_lines = 3;

}  // namespace breakeven::report
