// SPDX-License-Identifier: Apache-2.0
#include "src/predict/scaling_curve.h"

#include <algorithm>

namespace breakeven::predict {
namespace {

const Configuration* fastest_single(const std::vector<Configuration>& singles,
                                    const Level<Precision>& precision) {
  const auto found = std::ranges::find_if(
      singles, [&](const Configuration& config) { return config.what.precision == precision; });
  return found == singles.end() ? nullptr : &*found;
}

// The share of a predicted step that does not become shorter with fewer rows.
double serial_share(const StepTerms& parts) {
  const double serial = parts[index_of(StepTerm::start)] + parts[index_of(StepTerm::layers)] +
                        parts[index_of(StepTerm::parameters)];
  return serial / sum_of(parts);
}

void add_bounds(const Configuration& single, Scaling scaling, ScalePoint& point) {
  const int gpus = point.best.what.gpus;
  const double ideal_step = scaling == Scaling::strong ? single.seconds.centre / gpus : single.seconds.centre;
  point.ideal = gpus;
  point.efficiency = point.best.speedup.centre / gpus;
  point.link = gpus * ideal_step / (ideal_step + point.best.parts[index_of(StepTerm::bandwidth)]);
  if (scaling == Scaling::weak) return;
  const double serial = serial_share(single.parts);
  point.amdahl = 1 / (serial + (1 - serial) / gpus);
}

}  // namespace

std::vector<ScalePoint> scaling_curve(const ScaleModel& model, const Query& query, Scaling scaling,
                                      const std::vector<int>& gpus) {
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
    points.push_back(std::move(point));
  }
  return points;
}

ScaleAnswer answer_of(const std::vector<ScalePoint>& points) {
  ScaleAnswer answer;
  double most = 0, surely = 0;
  bool above_half = true;
  for (const ScalePoint& point : points) {
    const Configuration& best = point.best;
    if (!best.fits) continue;
    const int gpus = best.what.gpus;
    if (answer.faster_from == 0 && gpus > 1 && best.speedup.centre > 1) answer.faster_from = gpus;
    if (answer.pays_from == 0 && best.decision.verdict == statistics::Payoff::pays) answer.pays_from = gpus;
    above_half = above_half && point.efficiency >= 0.5;
    if (above_half) answer.half_to = gpus;
    if (best.speedup.low > surely) {
      surely = best.speedup.low;
      answer.surest = gpus;
    }
    if (!(best.samples_per_second > most)) continue;
    most = best.samples_per_second;
    answer.fastest = gpus;
  }
  if (answer.surest == 0) answer.surest = answer.fastest;
  return answer;
}

}  // namespace breakeven::predict
