// SPDX-License-Identifier: Apache-2.0
// The break-even of every curve of a file, in one table.
#include "src/report/sections/break_evens.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/as_whole.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/break_even_curves.h"
#include "src/report/sections/evidence.h"
#include "src/report/sections/sections.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/words/verdicts.h"

namespace breakeven::report {
namespace {

using statistics::Payoff;

bool are_all(Payoff verdict, std::span<const statistics::BreakEvenPoint> points) {
  return std::ranges::all_of(points, [&](const auto& point) { return point.verdict == verdict; });
}

// Points next to each other on one side of 1, or on neither.
struct Segment {
  std::span<const statistics::BreakEvenPoint> points;
  Payoff side() const {
    const Payoff verdict = points.front().verdict;
    return statistics::is_decided(verdict) ? verdict : Payoff::undecided;
  }
  std::string word() const {
    if (are_all(Payoff::same, points))
      return fmt::format("the same within {:.0f} %", 100 * statistics::practical_equivalence);
    return std::string(info_of(side()).speed);
  }
};

std::vector<Segment> segments_of(std::span<const statistics::BreakEvenPoint> points) {
  std::vector<Segment> segments;
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    for (end = begin + 1; end < points.size(); ++end)
      if (Segment{points.subspan(begin)}.side() != Segment{points.subspan(end)}.side()) break;
    segments.push_back({points.subspan(begin, end - begin)});
  }
  return segments;
}

// From "slower up to 64" to "faster from 512" it goes without saying that nothing is decided between.
bool goes_without_saying(const std::vector<Segment>& segments, std::size_t i) {
  if (i == 0 || i + 1 == segments.size() || statistics::is_decided(segments[i].side())) return false;
  return segments[i].word() == info_of(Payoff::undecided).speed &&
         segments[i - 1].side() != segments[i + 1].side();
}

// Outward, to two digits of the interval's width and three of its ends: it takes the speed-up as a straight
// line between two points, which is not more precise.
statistics::Interval in_supported_digits(const statistics::Interval& crossing) {
  const auto digit = [](double value) { return std::floor(std::log10(value)); };
  const double width = std::isinf(crossing.high) ? crossing.low : crossing.high - crossing.low;
  const double unit = std::pow(10, std::fmax(digit(width) - 1, digit(std::fmax(crossing.low, 1)) - 2));
  return {crossing.centre, std::floor(crossing.low / unit) * unit, std::ceil(crossing.high / unit) * unit,
          crossing.n};
}

// Not beyond the points that a verdict places on one side.
statistics::Interval within_band(const statistics::Interval& crossing, const statistics::BreakEven& found) {
  return {crossing.centre, std::fmax(crossing.low, found.low), std::fmin(crossing.high, found.high),
          crossing.n};
}

// "4,900–5,400": not beyond the points that a verdict places on one side; "" where it says no more than
// those.
std::string one_crossing_in_words(const statistics::BreakEven& found, PlaceText text) {
  const statistics::Interval& crossing = found.crossing;
  if (!crossing.has_bounds() || !(crossing.low > 0 || std::isfinite(crossing.high))) return "";
  const statistics::Interval known = within_band(in_supported_digits(crossing), found);
  if (known.low == found.low && known.high == found.high) return "";
  if (!(crossing.low > 0)) return fmt::format("below {}", text(known.high));
  if (std::isinf(crossing.high)) return fmt::format("above {}", text(known.low));
  return fmt::format("{}–{}", text(known.low), text(known.high));
}

std::vector<BreakEvenCurve> all_curves(const analysis::FileAnalysis& analysis) {
  std::vector<BreakEvenCurve> curves;
  for (const analysis::Group& group : analysis.groups())
    std::ranges::move(curves_along_batches(analysis, group), std::back_inserter(curves));
  std::ranges::move(curves_along_models(analysis), std::back_inserter(curves));
  return curves;
}

bool has_one_point(const BreakEvenCurve& curve) { return curve.points.size() < 2; }

// Those that may cross 1.
std::vector<BreakEvenCurve> curves_to_cross(const analysis::FileAnalysis& analysis) {
  std::vector<BreakEvenCurve> curves = all_curves(analysis);
  std::erase_if(curves, has_one_point);
  return curves;
}

const DeclaredTable declared_break_evens{
    {.command = "report",
     .title = "Break-even, with its 95 % interval by interpolation",
     .page = "report.md#answers",
     .columns = {words("along", "Varied", "axis: batch, or the model's parameters"),
                 words("of", "Fixed", "the model or batch that stays the same"),
                 words("configuration", "Configuration", "strategy and GPUs, or the fastest of all"),
                 number("measured_range", "Tested", "samples, parameters", "least and most measured").left(),
                 number("break_even", "More GPUs are", "samples, parameters",
                        "the verdicts by place; the interval of the crossing of 1")
                     .left(),
                 number("evidence", "Speed-up", "", "as in the verdict").left()}}};

const char* name_of(Along along) { return along == Along::batch ? "batch" : "parameters"; }

ReportTable table_of(const std::vector<BreakEvenCurve>& curves) {
  ReportTable table = declared_break_evens.empty();
  for (const BreakEvenCurve& curve : curves) {
    table.rows.push_back({name_of(curve.along), curve.of, curve.configuration,
                          fmt::format("{}–{}{}", whole_number(curve.points.front().at),
                                      whole_number(curve.points.back().at), curve.unit()),
                          break_evens_in_words(curve.points_to_cross(), whole_number),
                          evidence_in_brief(curve)});
  }
  say_shared({"along", "configuration", "measured_range"}, table);
  return table;
}

// Nothing where the cases of the row differ, or where the fastest of several could.
void add_axes(const BreakEvenCurve& curve, TidyRow& row) {
  for (const Axis axis : answer_axes) {
    const bool is_free = axis == Axis::strategy || axis == Axis::transport || axis == Axis::nccl;
    const Cell cell = axis_cell(axis, curve.lines.front()->measured->what);
    const auto is_alike = [&](const analysis::CaseResult* line) {
      return axis_cell(axis, line->measured->what).value == cell.value;
    };
    const bool is_shared = !(is_free && curve.is_fastest()) && std::ranges::all_of(curve.lines, is_alike);
    row.add(std::string(info_of(axis).key), is_shared ? cell : dash_cell());
  }
}

}  // namespace

std::string whole_number(double at) { return format_count(as_whole<std::uint64_t>(at + 0.5)); }

std::string bands_in_words(std::span<const statistics::BreakEvenPoint> points, PlaceText text) {
  if (points.empty()) return "";
  const std::vector<Segment> segments = segments_of(points);
  if (segments.size() == 1) return segments.front().word() + " at every value tested";
  std::vector<std::string> phrases;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (goes_without_saying(segments, i)) continue;
    const std::string from = text(segments[i].points.front().at), to = text(segments[i].points.back().at);
    const std::string where = i == 0                     ? "up to " + to
                              : i + 1 == segments.size() ? "from " + from
                              : from == to               ? "at " + from
                                                         : fmt::format("from {} to {}", from, to);
    phrases.push_back(segments[i].word() + " " + where);
  }
  return fmt::format("{}", fmt::join(phrases, ", "));
}

std::string crossing_in_words(std::span<const statistics::BreakEvenPoint> points, PlaceText text) {
  std::vector<std::string> phrases;
  for (const statistics::BreakEven& found : statistics::find_break_evens(points))
    if (const std::string words = one_crossing_in_words(found, text); !words.empty())
      phrases.push_back(words);
  return fmt::format("{}", fmt::join(phrases, " and "));
}

statistics::Interval last_break_even(std::span<const statistics::BreakEvenPoint> points) {
  const std::vector<statistics::BreakEven> bands = statistics::find_break_evens(points);
  if (bands.empty()) return {};
  const statistics::BreakEven& last = bands.back();
  if (!last.crossing.has_bounds()) return {last.crossing.centre, last.low, last.high, 0};
  return within_band(last.crossing, last);
}

std::string break_evens_in_words(std::span<const statistics::BreakEvenPoint> points, PlaceText text) {
  const std::string crossing = crossing_in_words(points, text);
  return bands_in_words(points, text) + (crossing.empty() ? "" : fmt::format(" (break-even {})", crossing));
}

ReportTable break_even_table(const analysis::FileAnalysis& analysis) {
  return table_of(curves_to_cross(analysis));
}

// Those that have a verdict, where there are too many for a sentence each; else the others, if they are few.
ReportTable break_even_table_in_brief(const analysis::FileAnalysis& analysis) {
  constexpr std::size_t most_leading = 10, most_others = 6;
  std::vector<BreakEvenCurve> leading, others;
  for (BreakEvenCurve& curve : all_curves(analysis))
    (curve.leads ? leading : others).push_back(std::move(curve));
  const bool have_sentences = leading.size() <= most_verdict_lines;
  std::erase_if(leading, has_one_point);
  std::erase_if(others, has_one_point);
  if (have_sentences) return table_of(others.size() <= most_others ? others : std::vector<BreakEvenCurve>());
  if (leading.size() > most_leading) leading.erase(leading.begin() + most_leading, leading.end());
  return table_of(leading);
}

std::vector<statistics::BreakEven> bands_or_side(std::span<const statistics::BreakEvenPoint> points) {
  std::vector<statistics::BreakEven> bands = statistics::find_break_evens(points);
  const Payoff side = points.front().verdict;
  if (bands.empty()) bands = {{.below = side, .above = side}};
  return bands;
}

namespace {

struct CurveBand {
  const BreakEvenCurve& curve;
  const statistics::BreakEven& band;
};

const TidyTable<CurveBand> band_rows_of_curves(
    {.command = "report", .json = "break_evens", .page = "report.md#answers"},
    {{answer_axis_columns(), [](auto& one, TidyRow& row) { add_axes(one.curve, row); }},
     {words("along", "", "axis: batch, or the model's parameters"),
      [](auto& one) { return Cell(name_of(one.curve.along)); }},
     {words("of", "", "the model or batch that stays the same"),
      [](auto& one) { return Cell(one.curve.of); }},
     {words("configuration", "", "strategy and GPUs, or the fastest of all"),
      [](auto& one) { return Cell(one.curve.configuration); }},
     {datum("fastest", "", "whether it is the fastest of several at each place").typed(JsonType::truth),
      [](auto& one) { return exact(one.curve.is_fastest()); }},
     {datum("leads", "", "whether a verdict is of this row").typed(JsonType::truth),
      [](auto& one) { return exact(one.curve.leads); }},
     {datum("from", "samples, parameters", "least measured"),
      [](auto& one) { return one.curve.points.front().at; }},
     {datum("to", "samples, parameters", "most measured"),
      [](auto& one) { return one.curve.points.back().at; }},
     {words("below", "", "verdict up to `low`"), [](auto& one) { return Cell(word_of(one.band.below)); }},
     {datum("low", "samples, parameters", "last value with the verdict `below`"),
      [](auto& one) { return one.band.low; }},
     {datum("break_even", "samples, parameters", "where the speed-up is 1, interpolated"),
      [](auto& one) { return one.band.crossing.centre; }},
     {datum("break_even_low", "samples, parameters", "lower end of its 95 % interval; 0: open"),
      [](auto& one) { return one.band.crossing.low; }},
     {datum("break_even_high", "samples, parameters", "upper end; null: open, or no interval"),
      [](auto& one) { return one.band.crossing.high; }},
     {words("above", "", "verdict from `high` on"), [](auto& one) { return Cell(word_of(one.band.above)); }},
     {datum("high", "samples, parameters", "first value with the verdict `above`"),
      [](auto& one) { return one.band.high; }},
     {columns::sentence,
      [](auto& one) { return Cell(break_evens_in_words(one.curve.points_to_cross(), whole_number)); }}});

}  // namespace

ReportTable tidy_break_evens(const analysis::FileAnalysis& analysis) {
  ReportTable table = band_rows_of_curves.empty();
  for (const BreakEvenCurve& curve : curves_to_cross(analysis))
    for (const statistics::BreakEven& band : bands_or_side(curve.points_to_cross()))
      band_rows_of_curves.add({curve, band}, table);
  return table;
}

}  // namespace breakeven::report
