// SPDX-License-Identifier: Apache-2.0
#include "src/predict/scaling_curve.h"

#include <algorithm>
#include <cmath>

#include "src/analysis/one_gpu.h"
#include "src/core/strategy/case_strategy.h"

namespace breakeven::predict {
namespace {

// The share of a predicted step that does not become shorter with fewer rows.
double serial_share(const StepTerms& parts) {
  const double serial = parts[index_of(StepTerm::start)] + parts[index_of(StepTerm::layers)] +
                        parts[index_of(StepTerm::parameters)];
  return serial / sum_of(parts);
}

// The bound, where the speed-up lies between 1 and it; else NaN. Both have rounding errors.
double bound_of(double speedup, double bound) {
  constexpr double rounding = 1e-9;
  return speedup >= 1 - rounding && speedup <= bound * (1 + rounding) ? bound : not_measured;
}

// Each GPU does what one GPU does with fewer rows: it holds the whole model and updates all of it.
bool works_like_one_gpu(const Case& what) {
  if (!analysis::has_rows_of_one_gpu(what)) return false;
  const StrategyChoice strategy = strategy_of_case(what);
  return strategy.info->work(strategy.options, mlp_of_case(what, 0), 0, what.gpus).updated == 1;
}

void add_bounds(const Configuration& single, Scaling scaling, ScalePoint& point) {
  const int gpus = point.best.what.gpus;
  const double speedup = point.best.speedup.centre;
  const double ideal_step = scaling == Scaling::strong ? single.seconds.centre / gpus : single.seconds.centre;
  const double of_bytes = point.best.parts[index_of(StepTerm::bandwidth)];
  point.ideal = gpus;
  point.efficiency = speedup / gpus;
  point.link = bound_of(speedup, gpus * ideal_step / (ideal_step + of_bytes));
  if (scaling == Scaling::weak || !works_like_one_gpu(point.best.what)) return;
  const double serial = serial_share(single.parts);
  point.amdahl = bound_of(speedup, 1 / (serial + (1 - serial) / gpus));
}

Recommendation recommendation_of(const ScalePoint& point, double least_efficiency) {
  const Configuration& best = point.best;
  if (!best.fits) return Recommendation::does_not_fit;
  const statistics::Interval& known = std::isnan(best.speedup.centre) ? best.seconds : best.speedup;
  if (known.high >= uncertain_span * known.low) return Recommendation::uncertain;
  const bool is_inefficient = best.what.gpus > 1 && point.efficiency < least_efficiency;
  return is_inefficient ? Recommendation::inefficient : Recommendation::yes;
}

}  // namespace

std::vector<ScalePoint> scaling_curve(const ScaleModel& model, const Query& query, Scaling scaling,
                                      const std::vector<int>& gpus, double least_efficiency) {
  const std::vector<Configuration> singles = model.configurations(query, scaling, 1);
  std::vector<ScalePoint> points;
  for (const int count : gpus) {
    const std::vector<Configuration> configs = model.configurations(query, scaling, count);
    if (configs.empty()) continue;
    ScalePoint point{.best = configs.front()};
    if (const auto found = std::ranges::find_if(configs, &Configuration::is_measured); found != configs.end())
      point.measured = *found;
    point.exchange = model.form_of_exchange(point.best.what);
    const double samples_an_hour = 3600 * point.best.samples_per_second;
    point.gpu_hours_a_million = count * 1e6 / samples_an_hour;
    const Configuration* single = fastest_single(singles, point.best.what.precision);
    if (single != nullptr) add_bounds(*single, scaling, point);
    point.recommended = recommendation_of(point, least_efficiency);
    points.push_back(std::move(point));
  }
  return points;
}

ScaleAnswer answer_of(const std::vector<ScalePoint>& points) {
  ScaleAnswer answer;
  const Configuration *fastest = nullptr, *surest = nullptr;
  for (const ScalePoint& point : points) {
    const Configuration& best = point.best;
    const bool is_one = best.what.gpus == 1;
    if (best.fits && !is_one) {
      answer.tried.push_back(best.what.gpus);
      if (best.speedup.centre > 1) answer.faster.push_back(best.what.gpus);
    }
    if (point.recommended != Recommendation::yes) continue;
    if (fastest == nullptr || best.samples_per_second > fastest->samples_per_second) fastest = &best;
    const bool is_sure = is_one || best.decision.verdict == statistics::Payoff::pays;
    if (is_sure && (surest == nullptr || surest->what.gpus == 1 || best.speedup.low > surest->speedup.low))
      surest = &best;
  }
  if (surest == nullptr) surest = fastest;
  if (surest == nullptr) return answer;
  answer.recommended = surest->what.gpus;
  if (fastest != surest) answer.alternative = fastest->what.gpus;
  return answer;
}

}  // namespace breakeven::predict
