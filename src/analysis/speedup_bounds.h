// SPDX-License-Identifier: Apache-2.0
// How fast a case on N GPUs could be at best: each bound assumes that all losses but one are gone.
// docs/report.md has the formulas.
#pragma once

#include <optional>
#include <vector>

#include "src/analysis/case_exchange.h"
#include "src/analysis/comparison.h"

namespace breakeven::analysis {

// Speed-ups over the base; NaN where not measured or not defined.
struct SpeedupBounds {
  double ideal = not_measured;  // N
  // Amdahl, "Validity of the single processor approach to achieving large scale computing capabilities",
  // AFIPS 1967: of strategies that share out the rows of a batch, strong scaling.
  double amdahl = not_measured;
  double serial_share = not_measured;  // of the base's step, what does not become shorter with fewer rows
  bool serial_by_rows = false;         // from `single` at a GPU's rows; else from the base's phases
  double link = not_measured;          // the ideal step and its exchange's bytes, without latency
};

// `comparison` is the case's with its baseline, `cases` all of the file, `exchange` that of the runs
// compared.
SpeedupBounds bounds_of(const MeasuredCase& measured, const Comparison& comparison,
                        const std::vector<MeasuredCase>& cases, const std::optional<CaseExchange>& exchange);

}  // namespace breakeven::analysis
