// SPDX-License-Identifier: Apache-2.0
// The break-even of every model and configuration by its measured batches, and of every batch and
// configuration by its measured models: in one table, with the fastest configuration beside the single ones.
#include "src/report/break_evens.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"
#include "src/report/tidy_row.h"

namespace breakeven::report {
namespace {

constexpr std::string_view the_fastest = "the fastest";  // of several configurations

// To three digits: interpolation between two points is not more precise.
double rounded(double at) {
  const double unit = std::pow(10, std::floor(std::log10(at)) - 2);
  return std::round(at / unit) * unit;
}

std::string_view word_of_side(statistics::Payoff side) {
  if (side == statistics::Payoff::pays) return "faster";
  return side == statistics::Payoff::does_not_pay ? "slower" : "undecided";
}

std::string band_in_words(const statistics::BreakEven& found, PlaceText text) {
  const auto below = word_of_side(found.below), above = word_of_side(found.above);
  const bool is_open_below = found.below == statistics::Payoff::undecided,
             is_open_above = found.above == statistics::Payoff::undecided;
  if (is_open_below && is_open_above) return "undecided at both ends of the tested range";
  if (is_open_below) return fmt::format("{} from {}, undecided below", above, text(found.high));
  if (is_open_above) return fmt::format("{} up to {}, undecided above", below, text(found.low));
  if (found.below == found.above)
    return fmt::format("{} up to {} and from {}, undecided between", below, text(found.low),
                       text(found.high));
  return fmt::format("{} up to {}, {} from {}", below, text(found.low), above, text(found.high));
}

// " (break-even near 2,210)"; "" where the speed-up crosses 1 never or several times.
std::string place_in_words(const statistics::BreakEven& found, PlaceText text) {
  return std::isnan(found.at) ? "" : fmt::format(" (break-even near {})", text(rounded(found.at)));
}

// What varies while all else stays the same.
enum class Along { batch, parameters };

struct Curve {
  Along along = Along::batch;
  std::string of;   // "medium", "batch 256"
  std::string way;  // "ddp on 2", "the fastest"
  std::vector<statistics::BreakEvenPoint> points;
};

std::string written(double at) { return format_count(static_cast<std::uint64_t>(at + 0.5)); }

// Curves by `key`, in the order in which they appear.
template <typename Key>
class Curves {
 public:
  void add(const Key& key, Curve empty, const statistics::BreakEvenPoint& point) {
    const auto [place, is_new] = places_.try_emplace(key, curves_.size());
    if (is_new) curves_.push_back(std::move(empty));
    curves_[place->second].points.push_back(point);
  }

  // Those of two points or more, in rising order.
  std::vector<Curve> take() {
    std::erase_if(curves_, [](const Curve& curve) { return curve.points.size() < 2; });
    for (Curve& curve : curves_) std::ranges::stable_sort(curve.points, {}, &statistics::BreakEvenPoint::at);
    return std::move(curves_);
  }

 private:
  std::map<Key, std::size_t> places_;
  std::vector<Curve> curves_;
};

// Of several configurations: faster where one of them pays, by a verdict that is corrected for their number;
// slower where all of them are. The highest centre is slightly too optimistic.
statistics::BreakEvenPoint best_of(double at, const std::vector<const analysis::CaseResult*>& lines) {
  statistics::BreakEvenPoint best(at, 0, statistics::Payoff::does_not_pay);
  for (const analysis::CaseResult* line : lines) {
    const statistics::Interval& ratio = line->comparison.speedup.ratio;
    best.centre = std::fmax(best.centre, ratio.centre);
    if (statistics::side_of(ratio) != statistics::Payoff::does_not_pay &&
        best.side != statistics::Payoff::pays)
      best.side = statistics::Payoff::undecided;
    if (line->comparison.decision.verdict == statistics::Payoff::pays) best.side = statistics::Payoff::pays;
  }
  return best;
}

// visit(batch, configuration, point). Unconnected copies do not train one model faster, so they have no
// break-even; what `auto` chose is already among the configurations.
template <typename Visit>
void for_each_way(const analysis::Group& group, Along along, Visit visit) {
  std::map<std::uint32_t, std::vector<const analysis::CaseResult*>> by_batch;
  for (const analysis::CaseResult& line : group.lines) {
    const Case& what = line.measured->what;
    if (!traits_of(what).copies && what.chosen.empty()) by_batch[what.batch].push_back(&line);
  }
  for (const auto& [batch, lines] : by_batch) {
    const double at = along == Along::batch ? batch : static_cast<double>(group.parameters);
    for (const analysis::CaseResult* line : lines)
      visit(batch, strategy_of(line->measured->what, group),
            statistics::BreakEvenPoint(at, line->comparison.speedup.ratio));
    if (lines.size() > 1) visit(batch, std::string(the_fastest), best_of(at, lines));
  }
}

std::vector<Curve> along_batches(const analysis::FileAnalysis& analysis) {
  Curves<std::tuple<const analysis::Group*, std::string>> curves;
  for (const analysis::Group& group : analysis.groups()) {
    for_each_way(group, Along::batch,
                 [&](std::uint32_t, const std::string& way, const statistics::BreakEvenPoint& point) {
                   curves.add({&group, way}, Curve{Along::batch, title_of(analysis, group), way, {}}, point);
                 });
  }
  return curves.take();
}

// Over groups that differ only in the model, batch by batch.
std::vector<Curve> along_models(const analysis::FileAnalysis& analysis) {
  Curves<std::tuple<std::string, std::uint32_t, std::string>> curves;
  for (const analysis::Group& group : analysis.groups()) {
    const std::string settings = title_of(analysis, group).substr(group.key->model.word().size());
    for_each_way(group, Along::parameters,
                 [&](std::uint32_t batch, const std::string& way, const statistics::BreakEvenPoint& point) {
                   const std::string of = fmt::format("batch {}{}", written(batch), settings);
                   curves.add({settings, batch, way}, Curve{Along::parameters, of, way, {}}, point);
                 });
  }
  return curves.take();
}

std::vector<Curve> all_curves(const analysis::FileAnalysis& analysis) {
  std::vector<Curve> curves = along_batches(analysis);
  std::ranges::move(along_models(analysis), std::back_inserter(curves));
  return curves;
}

const DeclaredTable declared_break_evens{
    {.command = "report",
     .title = "Break-even: where more GPUs become faster than one; 95 % bands from the measured speed-ups",
     .page = "report.md#answers",
     .columns = {words("along", "Varied", "axis: batch, or the model's parameters"),
                 words("of", "Fixed", "the model or batch that stays the same"),
                 words("configuration", "Configuration", "strategy and GPUs, or the fastest of all"),
                 number("measured_range", "Tested", "samples, parameters", "least and most measured").left(),
                 number("break_even", "More GPUs are", "samples, parameters",
                        "where the speed-up is 1, and its 95 % band")
                     .left()}}};

ReportTable table_of(const std::vector<Curve>& curves) {
  ReportTable table = declared_break_evens.empty();
  for (const Curve& curve : curves) {
    table.rows.push_back(
        {curve.along == Along::batch ? "batch" : "parameters", curve.of, curve.way,
         fmt::format("{}–{}", written(curve.points.front().at), written(curve.points.back().at)),
         break_evens_in_words(curve.points, written)});
  }
  return table;
}

}  // namespace

std::string break_evens_in_words(std::span<const statistics::BreakEvenPoint> points, PlaceText text) {
  if (points.empty()) return "";
  const std::vector<statistics::BreakEven> bands = statistics::find_break_evens(points);
  const statistics::Payoff first = points.front().side;
  if (std::ranges::all_of(points,
                          [&](const statistics::BreakEvenPoint& point) { return point.side == first; }))
    return fmt::format("{} at every value tested{}", word_of_side(first),
                       bands.empty() ? "" : place_in_words(bands.front(), text));
  std::vector<std::string> phrases;
  for (const statistics::BreakEven& found : bands)
    phrases.push_back(band_in_words(found, text) + place_in_words(found, text));
  return fmt::format("{}", fmt::join(phrases, "; then "));
}

ReportTable break_even_table(const analysis::FileAnalysis& analysis) {
  return table_of(all_curves(analysis));
}

BreakEvenCount count_break_evens(const analysis::FileAnalysis& analysis) {
  const std::vector<Curve> curves = all_curves(analysis);
  return {curves.size(), static_cast<std::size_t>(std::ranges::count(curves, the_fastest, &Curve::way))};
}

ReportTable fastest_break_even_table(const analysis::FileAnalysis& analysis) {
  std::vector<Curve> curves = all_curves(analysis);
  std::erase_if(curves, [](const Curve& curve) { return curve.way != the_fastest; });
  return table_of(curves);
}

const DeclaredTable declared_break_even_rows{
    {.command = "report",
     .json = "break_evens",
     .page = "report.md#answers",
     .columns = {datum("along", "", "axis: batch, or the model's parameters"),
                 datum("of", "", "the model or batch that stays the same"),
                 datum("configuration", "", "strategy and GPUs, or the fastest of all"),
                 datum("from", "samples, parameters", "least measured"),
                 datum("to", "samples, parameters", "most measured"),
                 datum("below", "", "verdict up to `low`"),
                 datum("low", "samples, parameters", "lower end of the 95 % band"),
                 datum("break_even", "samples, parameters", "where the speed-up is 1"),
                 datum("above", "", "verdict from `high` on"),
                 datum("high", "samples, parameters", "upper end of the band"), columns::sentence}}};

ReportTable tidy_break_evens(const analysis::FileAnalysis& analysis) {
  ReportTable table = declared_break_even_rows.empty();
  for (const Curve& curve : all_curves(analysis)) {
    std::vector<statistics::BreakEven> bands = statistics::find_break_evens(curve.points);
    const statistics::Payoff side = curve.points.front().side;
    if (bands.empty()) bands = {{.below = side, .above = side}};
    for (const statistics::BreakEven& band : bands) {
      TidyRow row;
      row.add("along", curve.along == Along::batch ? "batch" : "parameters")
          .add("of", curve.of)
          .add("configuration", curve.way)
          .add("from", curve.points.front().at)
          .add("to", curve.points.back().at)
          .add("below", std::string(word_of(band.below)))
          .add("low", band.low)
          .add("break_even", band.at)
          .add("above", std::string(word_of(band.above)))
          .add("high", band.high)
          .add("sentence", break_evens_in_words(curve.points, written));
      append(std::move(row), table);
    }
  }
  return table;
}

}  // namespace breakeven::report
