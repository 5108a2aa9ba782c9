// SPDX-License-Identifier: Apache-2.0
#include "src/predict/job_pair.h"

#include <algorithm>
#include <array>

#include "src/core/strategy/case_strategy.h"

namespace breakeven::predict {

JobPair::JobPair(const Configuration& one, const Configuration& more, const Advisor& advisor)
    : speedup_(more.speedup),
      start_(start_seconds(one, advisor)),
      longer_start_(start_seconds(more, advisor)),
      one_seconds_a_sample_(statistics::times(one.seconds, 1 / samples_a_step(one.what))) {}

statistics::Interval JobPair::extra_start() const {
  return {longer_start_.centre - start_.centre, longer_start_.low - start_.high,
          longer_start_.high - start_.low, 0};
}

statistics::Interval JobPair::gain(double samples) const {
  const double steps = samples * one_seconds_a_sample_.centre;  // seconds on one GPU
  return {(start_.centre + steps) / (longer_start_.centre + steps / speedup_.centre),
          (start_.low + steps) / (longer_start_.high + steps / speedup_.low),
          (start_.high + steps) / (longer_start_.low + steps / speedup_.high), speedup_.n};
}

statistics::Interval JobPair::samples_needed() const {
  return statistics::samples_needed(speedup_, one_seconds_a_sample_, extra_start());
}

PurchaseBand JobPair::purchase(const Purchase& purchase, double samples, double extra_kilowatt_hours) const {
  const auto outcome = [&](double one_seconds, double speedup) {
    const double steps = samples * one_seconds;
    return outcome_of(purchase, (start_.centre + steps) / 3600,
                      (longer_start_.centre + steps / speedup) / 3600, extra_kilowatt_hours);
  };
  const auto& [one, one_low, one_high, n] = one_seconds_a_sample_;
  const std::array ends{outcome(one_low, speedup_.low), outcome(one_high, speedup_.low),
                        outcome(one_low, speedup_.high), outcome(one_high, speedup_.high)};
  const auto [worst, best] = std::ranges::minmax(ends, {}, &PurchaseOutcome::net_a_month);
  return {outcome(one, speedup_.centre), worst, best};
}

}  // namespace breakeven::predict
