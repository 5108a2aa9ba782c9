// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/break_even_cost.h"

#include <algorithm>
#include <cmath>

namespace breakeven {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

double waiting_cost_at(double speedup, int gpus, double a_gpu) {
  if (std::isnan(speedup)) return speedup;
  return speedup <= 1 ? never : std::max(0.0, a_gpu * (gpus - speedup) / (speedup - 1));
}

double samples_at(double speedup, double one_seconds, double extra_start) {
  const double saved = one_seconds * (1 - 1 / speedup);  // a sample
  if (std::isnan(saved) || std::isnan(extra_start)) return std::numeric_limits<double>::quiet_NaN();
  return saved <= 0 ? never : std::max(0.0, extra_start / saved);
}

}  // namespace

Interval quotient(const Interval& numerator, const Interval& denominator) {
  const auto half_width = [](const Interval& known) { return std::log(known.high / known.low) / 2; };
  const double width = std::hypot(half_width(numerator), half_width(denominator));
  const double centre = numerator.centre / denominator.centre;
  return {centre, centre * std::exp(-width), centre * std::exp(width), numerator.n};
}

Interval times(const Interval& quantity, double factor) {
  return {quantity.centre * factor, quantity.low * factor, quantity.high * factor, quantity.n};
}

Interval gain_in_gpu_hours(const Interval& speedup, int gpus) { return times(speedup, 1.0 / gpus); }

double speedup_needed(int gpus, const HourlyCost& cost) {
  return (gpus * cost.a_gpu + cost.of_waiting) / (cost.a_gpu + cost.of_waiting);
}

Interval gain_in_money(const Interval& speedup, int gpus, const HourlyCost& cost) {
  return times(speedup, 1 / speedup_needed(gpus, cost));
}

Interval waiting_cost_needed(const Interval& speedup, int gpus, double a_gpu) {
  return {waiting_cost_at(speedup.centre, gpus, a_gpu), waiting_cost_at(speedup.high, gpus, a_gpu),
          waiting_cost_at(speedup.low, gpus, a_gpu), speedup.n};
}

Interval samples_needed(const Interval& speedup, const Interval& one_seconds_a_sample,
                        const Interval& extra_start_seconds) {
  return {samples_at(speedup.centre, one_seconds_a_sample.centre, extra_start_seconds.centre),
          samples_at(speedup.high, one_seconds_a_sample.high, extra_start_seconds.low),
          samples_at(speedup.low, one_seconds_a_sample.low, extra_start_seconds.high), speedup.n};
}

}  // namespace breakeven
