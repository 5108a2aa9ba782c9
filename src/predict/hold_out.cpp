// SPDX-License-Identifier: Apache-2.0
#include "src/predict/hold_out.h"

#include <algorithm>
#include <cmath>

#include "src/statistics/sample.h"

namespace breakeven {

std::vector<HeldOutCase> predict_held_out(const ScaleModel& model, int gpus) {
  std::vector<HeldOutCase> held_out;
  for (const analysis::MeasuredCase& measured : model.cases()) {
    const analysis::StepTimes& step = measured.timed().step;
    if (measured.what.gpus != gpus || !(step.mean_seconds > 0)) continue;
    const auto prediction = model.predict(measured.what);
    if (!prediction) continue;
    Interval seconds = step.interval;
    seconds.centre = step.mean_seconds;
    held_out.push_back({measured.what, *prediction, seconds});
  }
  return held_out;
}

HoldOutScore score_of(const std::vector<HeldOutCase>& cases) {
  HoldOutScore score;
  std::vector<double> errors;
  for (const HeldOutCase& one : cases) {
    errors.push_back(std::abs(one.error()));
    if (one.is_inside()) score.inside += 1;
  }
  score.median_error = median(errors);
  score.highest_error = highest(errors);
  return score;
}

}  // namespace breakeven
