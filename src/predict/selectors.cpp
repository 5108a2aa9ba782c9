// SPDX-License-Identifier: Apache-2.0
#include "src/predict/selectors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "src/core/model/model_shape.h"

namespace breakeven::predict {
namespace {

// The setting, whatever the model and the batch.
Case setting_of(Case what) {
  what.model = {};
  what.batch = 0;
  return what;
}

double log_size(const Case& what) { return std::log(double(what.model.value().parameters())); }

// The measured speed-ups of a setting: by the model's parameters, then by the batch; all in logarithms.
using Surface = std::map<double, std::map<double, double>>;

std::vector<std::pair<Case, Surface>> surfaces_of(const std::vector<Observation>& known) {
  std::vector<std::pair<Case, Surface>> surfaces;
  for (const Cell& cell : cells_of(known)) {
    const double single = fastest_single_seconds(cell);
    for (const Observation* one : cell) {
      const Case setting = setting_of(one->what);
      auto found = std::ranges::find(surfaces, setting, &std::pair<Case, Surface>::first);
      if (found == surfaces.end()) found = surfaces.insert(surfaces.end(), {setting, {}});
      found->second[log_size(one->what)][std::log(one->what.batch)] = std::log(single / one->seconds);
    }
  }
  return surfaces;
}

const auto& nearest(const auto& known, double x) {
  return *std::ranges::min_element(known, {}, [x](const auto& place) { return std::abs(place.first - x); });
}

double at_nearest(const Surface& surface, double parameters, double batch) {
  return nearest(nearest(surface, parameters).second, batch).second;
}

double interpolated(const Surface& surface, double parameters, double batch) {
  std::map<double, double> along;
  for (const auto& [size, by_batch] : surface) along[size] = interpolate(batch, by_batch);
  return interpolate(parameters, along);
}

// Reads the speed-up of each setting off its measured surface.
template <double (*read)(const Surface&, double parameters, double batch)>
class SurfaceSelector : public Selector {
 public:
  explicit SurfaceSelector(const std::vector<Observation>& known) : surfaces_(surfaces_of(known)) {}
  std::vector<double> log_speedups(const Cell& cell) const override {
    std::vector<double> logs;
    for (const Observation* one : cell) {
      const auto found =
          std::ranges::find(surfaces_, setting_of(one->what), &std::pair<Case, Surface>::first);
      logs.push_back(found == surfaces_.end()
                         ? not_measured
                         : read(found->second, log_size(one->what), std::log(one->what.batch)));
    }
    return logs;
  }

 private:
  std::vector<std::pair<Case, Surface>> surfaces_;
};

const Observation* any_single(const Cell& cell) {
  return *std::ranges::find_if(cell, [](const Observation* one) { return one->what.gpus == 1; });
}

// `ddp` on the most GPUs; null: not measured there.
const Observation* most_ddp(const Cell& cell) {
  const Observation* best = nullptr;
  for (const Observation* one : cell)
    if (one->what.strategy == "ddp" && (best == nullptr || one->what.gpus > best->what.gpus)) best = one;
  return best;
}

// Knows rules instead of speed-ups.
class Rule : public Selector {
  std::vector<double> log_speedups(const Cell&) const override { return {}; }
};

// One setting from a batch on, one GPU below.
class FittedThreshold : public Rule {
 public:
  explicit FittedThreshold(const std::vector<Observation>& known) {
    const std::vector<Cell> cells = cells_of(known);
    double least = std::numeric_limits<double>::infinity();
    for (const Cell& of_setting : cells) {
      for (const Observation* one : of_setting) {
        const FittedThreshold tried(setting_of(one->what), one->what.batch);
        double seconds = 0;
        for (const Cell& cell : cells) seconds += std::log(tried.choose(cell)->seconds);
        if (!(seconds < least)) continue;
        least = seconds;
        *this = tried;
      }
    }
  }
  const Observation* choose(const Cell& cell) const override {
    if (cell.front()->what.batch < batch_) return any_single(cell);
    const auto found =
        std::ranges::find_if(cell, [&](const Observation* one) { return setting_of(one->what) == setting_; });
    return found == cell.end() ? any_single(cell) : *found;
  }

 private:
  FittedThreshold(Case setting, std::uint32_t batch) : setting_(std::move(setting)), batch_(batch) {}
  Case setting_;
  std::uint32_t batch_ = 0;
};

class FromBatch5000 : public Rule {
 public:
  explicit FromBatch5000(const std::vector<Observation>&) {}
  const Observation* choose(const Cell& cell) const override {
    const Observation* ddp = most_ddp(cell);
    return ddp != nullptr && cell.front()->what.batch >= 5000 ? ddp : any_single(cell);
  }
};

class ArticlesRule : public Rule {
 public:
  explicit ArticlesRule(const std::vector<Observation>&) {}
  const Observation* choose(const Cell& cell) const override {
    const Case& what = cell.front()->what;
    const RuleAnswer answer = static_rule(what.model.value().parameters(), what.batch);
    if (answer == RuleAnswer::single_gpu) return any_single(cell);
    return answer == RuleAnswer::multi_gpu ? most_ddp(cell) : nullptr;
  }
};

template <typename Kind>
std::unique_ptr<Selector> learnt(const std::vector<Observation>& known) {
  return std::make_unique<Kind>(known);
}

}  // namespace

const Observation* Selector::choose(const Cell& cell) const {
  const std::vector<double> logs = log_speedups(cell);
  const Observation* best = nullptr;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (!(logs[i] > most)) continue;
    best = cell[i];
    most = logs[i];
  }
  return best;
}

const std::vector<SelectorKind>& selector_kinds() {
  static const std::vector<SelectorKind> kinds{
      {"advise", learnt<ModelSelector>},
      {"the speed-ups of the nearest measured model", learnt<SurfaceSelector<at_nearest>>},
      {"speed-ups interpolated in log batch and log parameters", learnt<SurfaceSelector<interpolated>>},
      {"one strategy from one batch on, both fitted", learnt<FittedThreshold>},
      {"ddp from batch 5,000 on", learnt<FromBatch5000>},
      {"the articles' rule", learnt<ArticlesRule>},
  };
  return kinds;
}

std::vector<double> ModelSelector::log_speedups(const Cell& cell) const {
  std::vector<double> logs;
  for (const statistics::Interval& speedup : speedups(cell)) logs.push_back(std::log(speedup.centre));
  return logs;
}

std::vector<statistics::Interval> ModelSelector::speedups(const Cell& cell) const {
  std::vector<std::optional<Prediction>> predictions;
  const Prediction* base = nullptr;
  const Case* single = nullptr;
  for (const Observation* one : cell) predictions.push_back(model_.predict(one->what, one->terms));
  for (std::size_t i = 0; i < cell.size(); ++i)
    if (cell[i]->what.gpus == 1 && predictions[i] &&
        (base == nullptr || predictions[i]->seconds < base->seconds)) {
      base = &*predictions[i];
      single = &cell[i]->what;
    }
  std::vector<statistics::Interval> speedups(cell.size());
  for (std::size_t i = 0; base != nullptr && i < cell.size(); ++i)
    if (predictions[i])
      speedups[i] = speedup_of(
          *predictions[i], *base,
          model_.speedup_half_width(cell[i]->what, *single, std::max(predictions[i]->basis, base->basis)));
  return speedups;
}

}  // namespace breakeven::predict
