// SPDX-License-Identifier: Apache-2.0
#include "src/predict/flip.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace breakeven {
namespace {

std::optional<ScanPoint> point_at(double at, const Advisor& advisor, const Question& question) {
  for (const Way& way : advisor.ways(question)) {
    if (way.what.gpus == 1 || !way.fits) continue;
    return ScanPoint{at, way.speedup, way.what.strategy, way.verdict};
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

std::vector<Flip> find_flips(const std::vector<ScanPoint>& points) {
  const auto pays = [&](std::size_t i) { return points[i].speedup.centre > 1; };
  const auto is_sure = [&](std::size_t i) { return points[i].speedup.low > 1 || points[i].speedup.high < 1; };
  std::vector<Flip> flips;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    if (pays(i) == pays(i + 1)) continue;
    const double before = std::log(points[i].speedup.centre), after = std::log(points[i + 1].speedup.centre);
    const double step = std::log(points[i + 1].at / points[i].at);
    Flip flip{.at = points[i].at * std::exp(step * before / (before - after)), .begins = pays(i + 1)};
    for (std::size_t j = i + 1; j-- > 0 && pays(j) == pays(i) && std::isnan(flip.low);)
      if (is_sure(j)) flip.low = points[j].at;
    for (std::size_t j = i + 1; j < points.size() && pays(j) == pays(i + 1) && std::isnan(flip.high); ++j)
      if (is_sure(j)) flip.high = points[j].at;
    flips.push_back(flip);
  }
  return flips;
}

std::vector<ScanPoint> scan_batches(const Advisor& advisor, Question question) {
  std::vector<ScanPoint> points;
  for (std::uint32_t batch = 16; batch <= 65536; batch *= 2) {
    question.batch = batch;
    if (auto point = point_at(batch, advisor, question)) points.push_back(std::move(*point));
  }
  return points;
}

std::vector<ScanPoint> scan_links(const Advisor& advisor, Question question) {
  std::vector<ScanPoint> points;
  question.only_predicted = true;
  for (double factor = 0.25; factor <= 64; factor *= 2) {
    question.link_factor = factor;
    if (auto point = point_at(factor, advisor, question)) points.push_back(std::move(*point));
  }
  return points;
}

std::vector<ScanPoint> scan_widths(const Advisor& advisor, Question question) {
  std::vector<ScanPoint> points;
  const std::string model = question.model;
  for (double factor = 0.25; factor <= 8; factor *= std::sqrt(2.0)) {
    if (std::abs(factor - 1) > 1e-6) question.model = with_widths(model, factor);
    if (std::abs(factor - 1) <= 1e-6) question.model = model;
    if (auto point = point_at(factor, advisor, question)) points.push_back(std::move(*point));
  }
  return points;
}

}  // namespace breakeven
