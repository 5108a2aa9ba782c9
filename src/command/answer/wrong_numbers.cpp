// SPDX-License-Identifier: Apache-2.0
#include "src/command/answer/wrong_numbers.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/text/output.h"
#include "src/core/text/printable.h"

namespace breakeven::command {

ExitCode tell_wrong_numbers(const analysis::FileAnalysis& analysis) {
  const std::vector<analysis::CaseSummary>& summaries = analysis.summaries();
  ExitCode code = ExitCode::success;
  for (const analysis::NumberFaultInfo& info : analysis::number_faults) {
    const auto first = std::ranges::find(summaries, info.fault, &analysis::CaseSummary::fault);
    if (first == summaries.end()) continue;
    code = ExitCode::wrong_numbers;
    print_error(
        "breakeven: in {} cases {} (first: {}){}\n",
        std::ranges::count(summaries, info.fault, &analysis::CaseSummary::fault), info.meaning,
        printable_line(label_of(first->what)),
        info.fault == analysis::NumberFault::loss_not_a_number
            ? ". If training diverges, use a smaller --learning-rate; otherwise the arithmetic is wrong"
            : "");
  }
  return code;
}

}  // namespace breakeven::command
