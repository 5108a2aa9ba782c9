// SPDX-License-Identifier: Apache-2.0
#include "src/predict/step_spread.h"

#include <algorithm>
#include <cmath>

namespace breakeven {

StepSpread::StepSpread(std::vector<double> relative_seconds) : sorted_(std::move(relative_seconds)) {
  if (sorted_.empty()) sorted_.push_back(1);
  std::ranges::sort(sorted_);
}

double StepSpread::expected_highest(double ranks) const {
  const auto count = static_cast<double>(sorted_.size());
  double expected = 0;
  for (std::size_t i = 0; i < sorted_.size(); ++i) {
    const auto place = static_cast<double>(i);
    expected += sorted_[i] * (std::pow((place + 1) / count, ranks) - std::pow(place / count, ranks));
  }
  return expected;
}

double StepSpread::highest_by(double uniform, double ranks) const {
  const double place = std::pow(uniform, 1 / ranks) * static_cast<double>(sorted_.size());
  return sorted_[std::min(sorted_.size() - 1, static_cast<std::size_t>(place))];
}

StepSpread spread_of(const std::vector<analysis::MeasuredCase>& cases, const Level<Precision>& precision) {
  std::vector<double> relative;
  for (const analysis::MeasuredCase& measured : cases) {
    if (measured.what.strategy != "single" || measured.what.precision != precision) continue;
    const analysis::StepTimes& step = measured.timed().step;
    for (std::size_t run = 0; run < step.runs.size(); ++run)
      for (const double seconds : step.runs[run].used())
        if (std::isfinite(seconds)) relative.push_back(seconds / step.run_means[run]);
  }
  return StepSpread(std::move(relative));
}

}  // namespace breakeven
