// SPDX-License-Identifier: Apache-2.0
#include "src/predict/stand_in_roofline.h"

#include <cmath>

#include "src/core/strategy/case_strategy.h"
#include "src/predict/step_terms.h"

namespace breakeven {
namespace {

// With a roofline of 1 everywhere a step's terms are its amounts: nodes, flops, bytes.
constexpr Roofline make_units() {
  Roofline units{.copy_bytes_per_second = 1, .launch_seconds = 1, .node_seconds = 1};
  units.flops_per_second.fill(1);
  return units;
}
constexpr Roofline units = make_units();

}  // namespace

Roofline stand_in_roofline(const std::vector<analysis::MeasuredCase>& cases) {
  Roofline best;
  for (const analysis::MeasuredCase& measured : cases) {
    const double seconds = measured.timed().step.mean_seconds;
    if (measured.what.gpus != 1 || !(seconds > 0)) continue;
    const auto amounts = terms_of_case(measured.what, units, MessageTimes{});
    if (!amounts) continue;
    const auto amount = [&](StepTerm term) { return (*amounts)[breakeven::index_of(term)]; };
    double& flops = best.flops(measured.what.precision.value());
    const double bytes = amount(StepTerm::activations) + amount(StepTerm::parameters);
    flops = std::fmax(flops, amount(StepTerm::arithmetic) / seconds);
    best.copy_bytes_per_second = std::fmax(best.copy_bytes_per_second, bytes / seconds);
    best.node_seconds = std::fmin(best.node_seconds, seconds / amount(StepTerm::layers));
  }
  return best;
}

}  // namespace breakeven
