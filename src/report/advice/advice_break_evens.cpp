// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice/advice_break_evens.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/report/advice/advice_tables.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/break_even_curves.h"
#include "src/report/sections/break_evens.h"
#include "src/report/tidy/tidy_row.h"

namespace breakeven::report {
namespace {

constexpr std::size_t fewest_points = 2;

std::string times(double at) { return format_significant(at, 3) + "×"; }

Turning of_fastest(std::string key, std::string name, PlaceText unit,
                   std::vector<predict::ScanPoint> points) {
  Turning turning{.key = std::move(key),
                  .name = std::move(name),
                  .configuration = "the fastest",
                  .unit = unit,
                  .places = {},
                  .points = std::move(points)};
  for (const predict::ScanPoint& point : turning.points)
    if (!std::isnan(point.place.centre))
      turning.places.push_back(point.place);  // else one GPU cannot hold it
  return turning;
}

// Replaces predicted places by measured ones, if there are several.
void use_measured(const analysis::FileAnalysis& analysis, const predict::Configuration* single,
                  const std::function<bool(const Case&)>& is_taken, Turning& turning) {
  if (single == nullptr) return;
  auto places = measured_points(analysis, single->what, is_taken);
  if (places.size() < fewest_points) return;
  turning.places = std::move(places);
  turning.is_measured = true;
}

// The values between which the verdict changes, or the least and the most where it does not.
std::vector<double> deciding_values(const Turning& turning) {
  const auto& places = turning.places;
  std::vector<double> values;
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i - 1].verdict != places[i].verdict)
      values.insert(values.end(), {places[i - 1].at, places[i].at});
  return values.empty() ? std::vector{places.front().at, places.back().at} : values;
}

// The query with one of its values.
CaseRange asked_at(double value, const Turning& turning, const predict::Query& query,
                   const predict::Advisor& advisor) {
  CaseRange asked;
  asked.batches.add(turning.key == "batch" ? value : query.batch);
  const double parameters =
      turning.key == "hidden_widths"
          ? predict::with_hidden_widths(CaseModel(query.model).value(), value).parameters()
          : advisor.parameters_of(query.model);
  asked.parameters.add(parameters);
  return asked;
}

void find_basis(const predict::Query& query, const predict::Advisor& advisor, const CaseRange& measured,
                Turning& turning) {
  for (const predict::ScanPoint& point : turning.points)
    if (beyond_in_words(asked_at(point.place.at, turning, query, advisor), measured).empty())
      turning.within.add(point.place.at);
  turning.basis = turning.is_measured ? "measured" : "predicted";
  if (turning.is_measured) return;
  CaseRange asked;
  bool is_within = false;
  for (const double value : deciding_values(turning)) {
    const CaseRange here = asked_at(value, turning, query, advisor);
    is_within |= beyond_in_words(here, measured).empty();
    asked.add(here);
  }
  if (const std::string beyond = beyond_in_words(asked, measured); !beyond.empty())
    turning.basis += (is_within ? ", partly " : ", ") + beyond;
  if (turning.key != "link_bandwidth") return;
  for (const predict::ScanPoint& point : turning.points)
    if (point.is_measured) turning.basis += fmt::format("; {} measured", turning.unit(point.place.at));
}

std::string_view basis_of_point(const predict::ScanPoint& point, const Turning& turning) {
  if (point.is_measured) return "measured";
  return turning.within.has(point.place.at) ? "predicted" : "extrapolated";
}

}  // namespace

std::vector<Turning> look_around(const predict::Advisor& advisor, const analysis::FileAnalysis& analysis,
                                 const predict::Query& query, const predict::Configuration* single) {
  std::vector<Turning> turnings{
      of_fastest("batch", "batch", whole_number, predict::scan_batches(advisor, query)),
      of_fastest("link_bandwidth", "link bandwidth", times, predict::scan_links(advisor, query)),
      of_fastest("hidden_widths", "hidden widths", times, predict::scan_widths(advisor, query))};
  const int most = query.most_gpus > 0 ? query.most_gpus : advisor.most_gpus();
  use_measured(
      analysis, single, [&](const Case& what) { return predict::is_taken(query, what) && what.gpus <= most; },
      turnings.front());
  for (predict::PlanScan& scan : predict::scan_plans(advisor, query)) {
    Turning turning{.key = "batch",
                    .name = "batch",
                    .configuration = name_of_configuration({.what = scan.what}),
                    .unit = whole_number,
                    .places = std::move(scan.points),
                    .plan = scan.what};
    const auto is_plan = [&](Case what) {
      what.batch = query.batch;
      return what == scan.what;
    };
    use_measured(analysis, single, is_plan, turning);
    turnings.push_back(std::move(turning));
  }
  std::erase_if(turnings, [](const Turning& turning) { return turning.places.size() < fewest_points; });
  const CaseRange measured = measured_range(analysis);
  for (Turning& turning : turnings) find_basis(query, advisor, measured, turning);
  return turnings;
}

std::vector<std::string> turnings_in_words(const std::vector<Turning>& turnings) {
  std::vector<std::string> sentences;
  for (const Turning& turning : turnings) {
    if (turning.plan) continue;
    const std::string unit = turning.key == "batch" ? "batches"
                             : turning.key == "link_bandwidth"
                                 ? "link bandwidths (multiples of this machine's)"
                                 : "hidden widths (multiples of this model's)";
    sentences.push_back(fmt::format("At other {}, more GPUs are {} ({}).", unit,
                                    break_evens_in_words(turning.places, turning.unit), turning.basis));
  }
  return sentences;
}

struct TurningPoint {
  const Turning& turning;
  const predict::ScanPoint& point;
};

const TidyTable<TurningPoint> turning_points(
    {.command = "advise",
     .json = "turning_points",
     .title =
         "Where the answer changes: the fastest configuration on more GPUs against the fastest single GPU",
     .page = "advise.md"},
    {{words("direction", "Varied", "batch, link bandwidth, or layer width"),
      [](auto& one) { return Cell(one.turning.name, one.turning.key); }},
     {number("at", "To", "samples, times", "the batch, or the factor"),
      [](auto& one) { return Cell(one.turning.unit(one.point.place.at), one.point.place.at); }},
     {columns::strategy, [](auto& one) { return strategy_cell(one.point.what); }},
     {columns::speedup.right(), [](auto& one) { return ratio_cell(one.point.speedup.centre); }},
     {number("speedup_low", "At least", "", "its 95 % interval"),
      [](auto& one) { return ratio_cell(one.point.speedup.low); }},
     {number("speedup_high", "At most", "", "its upper end"),
      [](auto& one) { return ratio_cell(one.point.speedup.high); }},
     {columns::verdict,
      [](auto& one) {
        const statistics::Payoff verdict = one.point.place.verdict;
        return Cell(verdict_of_advice({.verdict = verdict}).text, std::string(word_of(verdict)), verdict);
      }},
     {words("basis", "Basis", "measured, predicted, or extrapolated: beyond the measured batches or sizes"),
      [](auto& one) { return Cell(basis_of_point(one.point, one.turning)); }}});

ReportTable turning_points_table(const std::vector<Turning>& turnings) {
  ReportTable table = turning_points.empty();
  for (const Turning& turning : turnings)
    for (const predict::ScanPoint& point : turning.points) turning_points.add({turning, point}, table);
  return table;
}

const DeclaredTable declared_bands{
    {.command = "advise",
     .title = "Where more GPUs become faster than one: 95 % bands",
     .page = "advise.md",
     .columns = {words("direction", "Varied", "batch, link bandwidth, or layer width"),
                 words("configuration", "Configuration", "a plan, or the fastest"),
                 words("sentence", "It is", "where faster, and where slower, than one GPU"),
                 words("basis", "Basis",
                       "measured: as the report has it; or predicted, and beyond which measurements")}}};

ReportTable bands_table(const std::vector<Turning>& turnings) {
  ReportTable table = declared_bands.empty();
  for (const Turning& turning : turnings)
    table.rows.push_back({turning.name, turning.configuration,
                          break_evens_in_words(turning.places, turning.unit), turning.basis});
  return table;
}

struct TurningBand {
  const Turning& turning;
  const statistics::BreakEven& band;
};

const TidyTable<TurningBand> band_rows(
    {.command = "advise", .json = "break_evens", .page = "advise.md"},
    {{words("direction", "", "batch, link_bandwidth, or hidden_widths"),
      [](auto& one) { return Cell(one.turning.key); }},
     {words("configuration", "", "a plan, or the fastest"),
      [](auto& one) { return Cell(one.turning.configuration); }},
     {words("basis", "", "measured: as the report has it; or predicted, and beyond which measurements"),
      [](auto& one) { return Cell(one.turning.basis); }},
     {words("below", "", "verdict up to `low`"), [](auto& one) { return Cell(word_of(one.band.below)); }},
     {datum("low", "samples, times", "last value with the verdict `below`"),
      [](auto& one) { return one.band.low; }},
     {datum("break_even", "samples, times", "where the speed-up is 1, interpolated, and its 95 % interval"),
      [](auto& one) { return one.band.crossing; }},
     {words("above", "", "verdict from `high` on"), [](auto& one) { return Cell(word_of(one.band.above)); }},
     {datum("high", "samples, times", "first value with the verdict `above`"),
      [](auto& one) { return one.band.high; }},
     {columns::sentence,
      [](auto& one) { return Cell(break_evens_in_words(one.turning.places, one.turning.unit)); }}});

ReportTable tidy_bands(const std::vector<Turning>& turnings) {
  ReportTable table = band_rows.empty();
  for (const Turning& turning : turnings)
    for (const statistics::BreakEven& band : bands_or_side(turning.places))
      band_rows.add({turning, band}, table);
  return table;
}

statistics::Interval break_even_batch(const Case& plan, const std::vector<Turning>& turnings) {
  const auto found =
      std::ranges::find_if(turnings, [&](const Turning& turning) { return turning.plan == plan; });
  return found == turnings.end() ? statistics::Interval{} : last_break_even(found->places);
}

}  // namespace breakeven::report
