// SPDX-License-Identifier: Apache-2.0
#include "src/predict/measured_step.h"

#include <algorithm>

namespace breakeven::predict {

Case with_global_batch(Case what) {
  what.scaling = Scaling::strong;
  return what;
}

bool has_step_time(const analysis::MeasuredCase& measured) { return measured.timed().step.mean_seconds > 0; }

const analysis::MeasuredCase* find_measured(const Case& what,
                                            const std::vector<analysis::MeasuredCase>& cases) {
  const analysis::MeasuredCase* same = nullptr;
  for (const analysis::MeasuredCase& one : cases) {
    if (!has_step_time(one)) continue;
    if (one.what == what) return &one;
    if (same == nullptr && with_global_batch(one.what) == with_global_batch(what)) same = &one;
  }
  return same;
}

}  // namespace breakeven::predict
