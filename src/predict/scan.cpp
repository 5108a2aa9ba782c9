// SPDX-License-Identifier: Apache-2.0
#include "src/predict/scan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace breakeven {
namespace {

std::optional<ScanPoint> point_at(double at, const Advisor& advisor, const Query& query) {
  for (const Way& way : advisor.ways(query)) {
    if (way.what.gpus == 1 || !way.fits) continue;
    return ScanPoint{{at, way.speedup}, way.speedup, way.what.strategy, way.decision.verdict};
  }
  return std::nullopt;
}

// The shape with its hidden widths times a factor, to multiples of 8.
std::string with_widths(const std::string& model, double factor) {
  ModelShape shape = std::get<ModelShape>(parse_model(model));
  for (std::size_t i = 1; i + 1 < shape.widths.size(); ++i) {
    const double width = std::round(shape.widths[i] * factor / 8) * 8;
    shape.widths[i] = static_cast<std::uint32_t>(std::max(8.0, width));
  }
  return fmt::format("{}", fmt::join(shape.widths, "-"));
}

}  // namespace

std::vector<ScanPoint> scan_batches(const Advisor& advisor, Query query) {
  std::vector<ScanPoint> points;
  for (std::uint32_t batch = 16; batch <= 65536; batch *= 2) {
    query.batch = batch;
    if (auto point = point_at(batch, advisor, query)) points.push_back(std::move(*point));
  }
  return points;
}

std::vector<ScanPoint> scan_links(const Advisor& advisor, Query query) {
  std::vector<ScanPoint> points;
  query.only_predicted = true;
  for (double factor = 0.25; factor <= 64; factor *= 2) {
    query.link_factor = factor;
    if (auto point = point_at(factor, advisor, query)) points.push_back(std::move(*point));
  }
  return points;
}

std::vector<ScanPoint> scan_widths(const Advisor& advisor, Query query) {
  std::vector<ScanPoint> points;
  const std::string model = query.model;
  for (int half_octave = -4; half_octave <= 6; ++half_octave) {  // steps of a rounded root would miss the 8
    const double factor = std::exp2(half_octave / 2.0);
    query.model = half_octave == 0 ? model : with_widths(model, factor);
    if (auto point = point_at(factor, advisor, query)) points.push_back(std::move(*point));
  }
  return points;
}

}  // namespace breakeven
