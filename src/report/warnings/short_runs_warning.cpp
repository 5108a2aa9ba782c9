// SPDX-License-Identifier: Apache-2.0
// Runs that ended before enough of their planned steps.
#include <fmt/format.h>

#include "src/report/format/numbers.h"
#include "src/report/sections/group_words.h"
#include "src/report/warnings/warnings.h"

namespace breakeven::report {

void warn_short_runs(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t cases = 0;
  const analysis::CaseSummary* shortest = nullptr;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    if (summary.short_runs.count == 0) continue;
    ++cases;
    if (shortest == nullptr || summary.short_runs.fewest < shortest->short_runs.fewest) shortest = &summary;
  }
  if (shortest == nullptr) return;
  add_warning(
      symptom::few_steps,
      fmt::format("In {} of {} cases a run ended before {} measured steps, although more were planned "
                  "(fewest: {} of {}, {}). Speed-ups of these cases have no verdict.",
                  cases, analysis.summaries().size(), analysis::fewest_steps_for_verdict,
                  shortest->short_runs.fewest, format_count(shortest->short_runs.planned),
                  case_in_words(shortest->what)),
      sentences);
}

}  // namespace breakeven::report
