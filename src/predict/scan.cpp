// SPDX-License-Identifier: Apache-2.0
#include "src/predict/scan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/case.h"

namespace breakeven::predict {
namespace {

// Powers of two, `an_octave` of them from one to its double.
struct Range {
  int first, last;
  double an_octave = 1;
};

// The verdict is the configuration's own: a measured one was corrected with those beside it.
statistics::BreakEvenPoint place_of(double at, const Configuration& config) {
  return {at, config.speedup.centre, config.decision.verdict};
}

template <typename Change>  // of a query at one place of the range
std::vector<ScanPoint> scan(const Advisor& advisor, const Query& query, const Range& range, Change change) {
  std::vector<ScanPoint> points;
  for (int step = range.first; step <= range.last; ++step) {
    const double at = std::exp2(step / range.an_octave);
    Query changed = query;
    change(changed, at);
    const std::vector<Configuration> configs = advisor.configurations(changed);
    const auto best = std::ranges::find_if(
        configs, [](const Configuration& config) { return config.what.gpus > 1 && config.fits; });
    if (best != configs.end())
      points.push_back({place_of(at, *best), best->speedup, best->what, best->is_measured});
  }
  return points;
}

constexpr Range batches{.first = 4, .last = 16};

std::uint32_t scaled_width(std::uint32_t width, double factor) {
  return static_cast<std::uint32_t>(std::max(8.0, std::round(width * factor / 8) * 8));
}

std::string name_of(const ModelShape& shape) { return fmt::format("{}", fmt::join(shape.widths, "-")); }

// Parameters grow as the square of the widths.
ModelShape with_parameters(ModelShape shape, double parameters) {
  const double factor = std::sqrt(parameters / static_cast<double>(shape.parameters()));
  for (std::uint32_t& width : shape.widths) width = scaled_width(width, factor);
  return shape;
}

}  // namespace

ModelShape with_hidden_widths(ModelShape shape, double factor) {
  if (factor == 1) return shape;
  for (std::size_t i = 1; i + 1 < shape.widths.size(); ++i)
    shape.widths[i] = scaled_width(shape.widths[i], factor);
  return shape;
}

std::vector<ScanPoint> scan_batches(const Advisor& advisor, const Query& query) {
  return scan(advisor, query, batches,
              [](Query& changed, double batch) { changed.batch = static_cast<std::uint32_t>(batch); });
}

std::vector<PlanScan> scan_plans(const Advisor& advisor, const Query& query) {
  std::vector<PlanScan> plans;
  for (int power = batches.first; power <= batches.last; ++power) {
    Query changed = query;
    changed.batch = 1u << power;
    for (const Configuration& config : advisor.configurations(changed)) {
      if (config.what.gpus == 1 || std::isnan(config.speedup.centre)) continue;
      Case what = config.what;
      what.batch = query.batch;
      auto plan = std::ranges::find(plans, what, &PlanScan::what);
      if (plan == plans.end()) plan = plans.insert(plans.end(), {what, {}});
      plan->points.push_back(place_of(changed.batch, config));
    }
  }
  return plans;
}

std::vector<ScanPoint> scan_links(const Advisor& advisor, const Query& query) {
  std::vector<ScanPoint> points =
      scan(advisor, query, {.first = -2, .last = 6}, [](Query& changed, double factor) {
        changed.only_predicted = true;
        changed.link_factor = factor;
      });
  // Of this machine's own links the answer itself is known.
  const std::vector<ScanPoint> here = scan(advisor, query, {.first = 0, .last = 0}, [](Query&, double) {});
  for (ScanPoint& point : points)
    if (point.place.at == 1 && !here.empty()) point = here.front();
  return points;
}

std::vector<ScanPoint> scan_widths(const Advisor& advisor, const Query& query) {
  const CaseModel model = query.model;
  if (model.known() == nullptr) return {};
  const ModelShape& shape = model.value();
  return scan(advisor, query, {.first = -4, .last = 6, .an_octave = 2}, [&](Query& changed, double factor) {
    if (factor != 1) changed.model = name_of(with_hidden_widths(shape, factor));
  });
}

std::vector<MapPoint> map_speedups(const Advisor& advisor, Query query) {
  const CaseModel model = query.model;
  if (model.known() == nullptr) return {};
  const ModelShape& shape = model.value();
  const auto by_parameters = [](const analysis::MeasuredCase& one) { return one.timed().parameters; };
  const auto by_batch = [](const analysis::MeasuredCase& one) { return one.what.batch; };
  const auto [small, large] = std::ranges::minmax(advisor.cases(), {}, by_parameters);
  const auto [few, many] = std::ranges::minmax(advisor.cases(), {}, by_batch);
  const auto fewest = static_cast<double>(by_parameters(small));
  query.only_predicted = true;
  std::vector<MapPoint> points;
  const double octaves = std::log2(static_cast<double>(by_parameters(large)) / fewest);
  const int steps = std::max(1, static_cast<int>(std::ceil(3 * octaves)));
  for (int i = 0; i < steps; ++i) {
    const ModelShape sized = with_parameters(shape, fewest * std::exp2(octaves * (i + 0.5) / steps));
    query.model = name_of(sized);
    for (double batch = few.what.batch; batch <= many.what.batch; batch *= 2) {
      query.batch = static_cast<std::uint32_t>(batch);
      for (const Configuration& config : advisor.configurations(query))
        if (config.what.gpus > 1) points.push_back({sized.parameters(), config});
    }
  }
  return points;
}

}  // namespace breakeven::predict
