// SPDX-License-Identifier: Apache-2.0
#include "src/predict/stand_in_roofline.h"

#include <cmath>

#include "src/core/strategy/case_strategy.h"
#include "src/predict/step_terms.h"

namespace breakeven {
namespace {

// With ceilings of 1 a step's terms are its amounts: nodes, flops, bytes.
constexpr Roofline units{1, 1, 1, 1, 1, 1, 1, 1};

}  // namespace

Roofline stand_in_roofline(const std::vector<analysis::MeasuredCase>& cases) {
  Roofline best;
  for (const analysis::MeasuredCase& measured : cases) {
    const double seconds = measured.timed().step.mean_seconds;
    if (measured.what.gpus != 1 || !(seconds > 0)) continue;
    const auto amounts = terms_of_case(measured.what, units, MessageTimes{});
    if (!amounts) continue;
    const auto amount = [&](StepTerm term) { return (*amounts)[breakeven::index_of(term)]; };
    double& flops = best.*peak_flops_of(find_precision(measured.what.precision)->precision);
    const double bytes = amount(StepTerm::activations) + amount(StepTerm::parameters);
    flops = std::fmax(flops, amount(StepTerm::arithmetic) / seconds);
    best.copy_bytes_per_second = std::fmax(best.copy_bytes_per_second, bytes / seconds);
    best.node_seconds = std::fmin(best.node_seconds, seconds / amount(StepTerm::layers));
  }
  return best;
}

}  // namespace breakeven
