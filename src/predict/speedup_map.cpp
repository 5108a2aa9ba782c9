// SPDX-License-Identifier: Apache-2.0
#include "src/predict/speedup_map.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/model/model_shape.h"

namespace breakeven {
namespace {

struct Range {
  double low, high;
};

// Of a number of the measured cases.
template <class Number>
Range range_of(const std::vector<analysis::MeasuredCase>& cases, Number number) {
  Range range{number(cases.front()), number(cases.front())};
  for (const analysis::MeasuredCase& one : cases) {
    range.low = std::min(range.low, number(one));
    range.high = std::max(range.high, number(one));
  }
  return range;
}

// Parameters grow as the square of the widths.
ModelShape with_parameters(ModelShape shape, double parameters) {
  const double factor = std::sqrt(parameters / static_cast<double>(shape.parameters()));
  for (std::uint32_t& width : shape.widths)
    width = static_cast<std::uint32_t>(std::max(8.0, std::round(width * factor / 8) * 8));
  return shape;
}

}  // namespace

std::vector<MapPoint> map_speedups(const Advisor& advisor, Query query) {
  const ModelShape shape = std::get<ModelShape>(parse_model(query.model));
  const Range sizes = range_of(advisor.cases(), [](const analysis::MeasuredCase& one) {
    return static_cast<double>(one.timed().parameters);
  });
  const Range batches = range_of(
      advisor.cases(), [](const analysis::MeasuredCase& one) { return static_cast<double>(one.what.batch); });
  query.only_predicted = true;
  std::vector<MapPoint> points;
  const double octaves = std::log2(sizes.high / sizes.low);
  const int steps = std::max(1, static_cast<int>(std::ceil(3 * octaves)));
  for (int i = 0; i < steps; ++i) {
    const ModelShape sized = with_parameters(shape, sizes.low * std::exp2(octaves * (i + 0.5) / steps));
    query.model = fmt::format("{}", fmt::join(sized.widths, "-"));
    for (double batch = batches.low; batch <= batches.high; batch *= 2) {
      query.batch = static_cast<std::uint32_t>(batch);
      for (const Way& way : advisor.ways(query))
        if (way.what.gpus > 1) points.push_back({sized.parameters(), way});
    }
  }
  return points;
}

}  // namespace breakeven
