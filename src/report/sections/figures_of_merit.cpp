// SPDX-License-Identifier: Apache-2.0
// One line a case, in a form that harnesses find with one regular expression:
//   FOM medium/b64/2x/ddp/fp32/tiled/nccl/strong/graph/resident samples_per_second: 2039.1 ...
#include <fmt/format.h>

#include "src/core/text/printable.h"
#include "src/report/sections/sections.h"

namespace breakeven::report {

// Spelled by hand: harnesses match these paths, so a new axis must not change those that exist.
std::string path_of(const Case& what) {
  return fmt::format("{}/b{}/{}x/{}/{}/{}/{}/{}/{}/{}{}", what.model, what.batch, what.gpus, what.strategy,
                     what.precision, what.gemm, what.transport, what.scaling,
                     what.graph ? "graph" : "launches", what.data, nccl_suffix(what));
}

std::string figures_of_merit(const analysis::FileAnalysis& analysis) {
  std::string text;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& result : group.cases) {
      const Case& what = result.measured->what;
      const analysis::StepTimes& step = result.measured->timed().step;
      const analysis::Comparison& comparison = result.comparison;
      text +=
          fmt::format("FOM {} samples_per_second: {:.6g} step_seconds: {:.6g} speedup: {:.4f} verdict: {}\n",
                      printable_line(path_of(what)), step.samples_per_second, step.mean_seconds,
                      comparison.speedup.ratio.centre, verdict_word(what, comparison.decision));
    }
  }
  return text;
}

}  // namespace breakeven::report
