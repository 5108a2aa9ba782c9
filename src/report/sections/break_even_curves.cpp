// SPDX-License-Identifier: Apache-2.0
#include "src/report/sections/break_even_curves.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "src/core/axes.h"
#include "src/core/strategy/case_strategy.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/group_words.h"

namespace breakeven::report {
namespace {

using Lines = std::vector<const analysis::CaseResult*>;
using statistics::Payoff;

// In the order in which they appear, each from its smallest place.
class Curves {
 public:
  void add(const BreakEvenCurve& empty, statistics::BreakEvenPoint point, const analysis::CaseResult* line) {
    const auto [place, is_new] = places_.try_emplace({empty.of, empty.configuration}, curves_.size());
    if (is_new) curves_.push_back(empty);
    BreakEvenCurve& curve = curves_[place->second];
    const auto behind = std::ranges::upper_bound(curve.points, point.at, {}, &statistics::BreakEvenPoint::at);
    curve.lines.insert(curve.lines.begin() + (behind - curve.points.begin()), line);
    curve.points.insert(behind, std::move(point));
    curve.rivals = std::max(curve.rivals, empty.rivals);
  }
  std::vector<BreakEvenCurve> take() { return std::move(curves_); }

 private:
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
  std::vector<BreakEvenCurve> curves_;
};

Payoff verdict_of_line(const analysis::CaseResult* line) { return line->comparison.decision.verdict; }

statistics::BreakEvenPoint point_of(double at, const analysis::CaseResult* line, Payoff verdict) {
  statistics::BreakEvenPoint point(at, line->comparison.speedup.ratio.centre, verdict);
  point.blocks = line->comparison.blocks;
  return point;
}

Payoff verdict_of_fastest(const Lines& measured) {
  const auto all = [&](auto... verdicts) {
    return std::ranges::all_of(measured,
                               [&](auto* line) { return ((verdict_of_line(line) == verdicts) || ...); });
  };
  if (std::ranges::find(measured, Payoff::pays, verdict_of_line) != measured.end()) return Payoff::pays;
  if (all(Payoff::does_not_pay)) return Payoff::does_not_pay;
  return all(Payoff::does_not_pay, Payoff::same) ? Payoff::same : Payoff::undecided;
}

const analysis::CaseResult* fastest_of(const Lines& lines) {
  return *std::ranges::max_element(lines, {},
                                   [](auto* line) { return line->comparison.speedup.ratio.centre; });
}

statistics::BreakEvenPoint point_of_fastest(double at, const Lines& lines, const analysis::Group& group) {
  statistics::BreakEvenPoint point = point_of(at, fastest_of(lines), verdict_of_fastest(lines));
  for (const analysis::CaseResult* line : lines)
    point.rivals[strategy_of(line->measured->what, group)] = line->comparison.blocks;
  return point;
}

// A case's curve without points, and its place on it.
struct PlaceOnCurve {
  BreakEvenCurve curve;
  double at = 0;
};
using PlaceOf = std::function<PlaceOnCurve(const Case&)>;

Scaling scaling_of(const Case& what) {
  return what.scaling == Scaling::weak ? Scaling::weak : Scaling::strong;
}

// Of one batch. Unconnected copies do not train one model, so they have no break-even; what `auto` chose is
// already among the configurations.
void add_places(const Lines& lines, const analysis::Group& group, const PlaceOf& place_of, Curves& curves) {
  std::map<std::pair<int, Scaling>, Lines> rivals;
  for (const analysis::CaseResult* line : lines) {
    if (verdict_of_line(line) == Payoff::not_measured) continue;
    const Case& what = line->measured->what;
    PlaceOnCurve place = place_of(what);
    place.curve.configuration = strategy_of(what, group);
    place.curve.gpus = what.gpus;
    place.curve.scaling = scaling_of(what);
    curves.add(place.curve, point_of(place.at, line, verdict_of_line(line)), line);
    if (is_exact(what)) rivals[{what.gpus, scaling_of(what)}].push_back(line);
  }
  for (const auto& [alike, measured] : rivals) {
    if (measured.size() < 2) continue;
    const auto [gpus, scaling] = alike;
    auto [curve, at] = place_of(measured.front()->measured->what);
    curve.configuration = fmt::format("the fastest on {}{}", gpus, scaling == Scaling::weak ? ", weak" : "");
    curve.gpus = gpus;
    curve.scaling = scaling;
    curve.rivals = measured.size();
    curves.add(curve, point_of_fastest(at, measured, group), fastest_of(measured));
  }
}

std::map<std::uint32_t, Lines> by_batch(const analysis::Group& group) {
  std::map<std::uint32_t, Lines> batches;
  for (const analysis::CaseResult& line : group.lines) {
    const Case& what = line.measured->what;
    if (!traits_of(what).copies && what.chosen.empty()) batches[what.batch].push_back(&line);
  }
  return batches;
}

void mark_leading(std::vector<BreakEvenCurve>& curves) {
  std::set<std::pair<int, Scaling>> with_fastest;
  for (const BreakEvenCurve& curve : curves)
    if (curve.is_fastest()) with_fastest.emplace(curve.gpus, curve.scaling);
  for (BreakEvenCurve& curve : curves)
    curve.leads = curve.is_fastest() || !with_fastest.contains({curve.gpus, curve.scaling});
}

}  // namespace

std::vector<BreakEvenCurve> curves_along_batches(const analysis::FileAnalysis& analysis,
                                                 const analysis::Group& group) {
  Curves curves;
  const auto place_of = [title = title_of(analysis, group)](const Case& what) -> PlaceOnCurve {
    return {{.along = Along::batch, .of = title, .configuration = ""},
            static_cast<double>(batch_of_baseline(what))};
  };
  for (const auto& [batch, lines] : by_batch(group)) add_places(lines, group, place_of, curves);
  std::vector<BreakEvenCurve> all = curves.take();
  mark_leading(all);
  return all;
}

std::vector<statistics::BreakEvenPoint> measured_points(const analysis::FileAnalysis& analysis,
                                                        const Case& single,
                                                        const std::function<bool(const Case&)>& is_taken) {
  std::vector<statistics::BreakEvenPoint> points;
  for (const analysis::Group& group : analysis.groups()) {
    using enum Axis;
    if (!are_alike(*group.key, single, {model, precision, gemm, graph, data})) continue;
    for (auto [batch, lines] : by_batch(group)) {
      std::erase_if(lines, [&](const analysis::CaseResult* line) {
        const Case& what = line->measured->what;
        return what.scaling == Scaling::weak || !is_taken(what) ||
               verdict_of_line(line) == Payoff::not_measured;
      });
      if (!lines.empty()) points.push_back(point_of_fastest(batch, lines, group));
    }
  }
  return points;
}

std::vector<statistics::BreakEvenPoint> BreakEvenCurve::points_to_cross() const {
  if (along == Along::batch) return points;
  std::vector<statistics::BreakEvenPoint> bare;
  for (const statistics::BreakEvenPoint& point : points)
    bare.emplace_back(point.at, point.centre, point.verdict);
  return bare;
}

std::vector<BreakEvenCurve> curves_along_models(const analysis::FileAnalysis& analysis) {
  Curves curves;
  for (const analysis::Group& group : analysis.groups()) {
    if (group.parameters == 0) continue;
    const std::string settings = title_of(analysis, group).substr(group.key->model.word().size());
    const auto place_of = [&](const Case& what) -> PlaceOnCurve {
      return {{.along = Along::parameters,
               .of = fmt::format("batch {}{}", batch_in_words(what), settings),
               .configuration = ""},
              static_cast<double>(group.parameters)};
    };
    for (const auto& [batch, lines] : by_batch(group)) add_places(lines, group, place_of, curves);
  }
  std::vector<BreakEvenCurve> all = curves.take();
  std::erase_if(all, [](const BreakEvenCurve& curve) {
    return curve.points.size() > 1 && curve.points.front().at == curve.points.back().at;
  });
  return all;
}

}  // namespace breakeven::report
