// SPDX-License-Identifier: Apache-2.0
// The break-even of every model and way by its measured batches, and of every batch and way by its measured
// models: in one table, with the fastest way beside the single ones.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/break_even_words.h"
#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"
#include "src/report/tidy_row.h"

namespace breakeven {
namespace {

constexpr std::string_view the_fastest = "the fastest";  // of several ways

// What is gone along while all else stays.
enum class Along { batch, parameters };

struct Walk {
  Along along = Along::batch;
  std::string of;   // "medium", "batch 256"
  std::string way;  // "ddp on 2", "the fastest"
  std::vector<BreakEvenPoint> points;
};

std::string written(double at) { return format_count(static_cast<std::uint64_t>(at + 0.5)); }

// Walks are told apart by `key` and keep the order in which they appear.
template <typename Key>
class Walks {
 public:
  void add(const Key& key, Walk empty, const BreakEvenPoint& point) {
    const auto [place, is_new] = places_.try_emplace(key, walks_.size());
    if (is_new) walks_.push_back(std::move(empty));
    walks_[place->second].points.push_back(point);
  }

  // Those of two points or more, in rising order.
  std::vector<Walk> take() {
    std::erase_if(walks_, [](const Walk& walk) { return walk.points.size() < 2; });
    for (Walk& walk : walks_) std::ranges::stable_sort(walk.points, {}, &BreakEvenPoint::at);
    return std::move(walks_);
  }

 private:
  std::map<Key, std::size_t> places_;
  std::vector<Walk> walks_;
};

// Of several ways: faster where one of them pays, by a verdict that allows for their number; slower where
// each of them is. The highest centre flatters a little.
BreakEvenPoint best_of(double at, const std::vector<const analysis::CaseResult*>& lines) {
  BreakEvenPoint best(at, 0, Payoff::does_not_pay);
  for (const analysis::CaseResult* line : lines) {
    const Interval& ratio = line->comparison.speedup.ratio;
    best.centre = std::fmax(best.centre, ratio.centre);
    if (side_of(ratio) != Payoff::does_not_pay && best.side != Payoff::pays) best.side = Payoff::undecided;
    if (line->comparison.decision.verdict == Payoff::pays) best.side = Payoff::pays;
  }
  return best;
}

// visit(batch, way, point). Unconnected copies do not train one model faster, so they have no break-even;
// what `auto` chose is one of the ways already.
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
            BreakEvenPoint(at, line->comparison.speedup.ratio));
    if (lines.size() > 1) visit(batch, std::string(the_fastest), best_of(at, lines));
  }
}

std::vector<Walk> along_batches(const analysis::FileAnalysis& analysis) {
  Walks<std::tuple<const analysis::Group*, std::string>> walks;
  for (const analysis::Group& group : analysis.groups()) {
    for_each_way(group, Along::batch,
                 [&](std::uint32_t, const std::string& way, const BreakEvenPoint& point) {
                   walks.add({&group, way}, Walk{Along::batch, title_of(analysis, group), way, {}}, point);
                 });
  }
  return walks.take();
}

// Over groups that differ in the model alone; batch by batch.
std::vector<Walk> along_models(const analysis::FileAnalysis& analysis) {
  Walks<std::tuple<std::string, std::uint32_t, std::string>> walks;
  for (const analysis::Group& group : analysis.groups()) {
    const std::string settings = title_of(analysis, group).substr(group.key->model.size());
    for_each_way(group, Along::parameters,
                 [&](std::uint32_t batch, const std::string& way, const BreakEvenPoint& point) {
                   const std::string of = fmt::format("batch {}{}", written(batch), settings);
                   walks.add({settings, batch, way}, Walk{Along::parameters, of, way, {}}, point);
                 });
  }
  return walks.take();
}

std::vector<Walk> all_walks(const analysis::FileAnalysis& analysis) {
  std::vector<Walk> walks = along_batches(analysis);
  std::ranges::move(along_models(analysis), std::back_inserter(walks));
  return walks;
}

const DeclaredTable declared_break_evens{
    {.command = "report",
     .title = "Break-even: where more GPUs become faster than one; 95 % bands from the measured speed-ups",
     .page = "report.md#answers",
     .columns = {
         words("along", "By", "axis: batch, or the model's parameters"),
         words("of", "Of", "the model or batch that stays the same"),
         words("configuration", "Configuration", "strategy and GPUs, or the fastest of all"),
         number("measured_range", "Measured", "samples, parameters", "least and most measured").left(),
         number("break_even", "More GPUs are", "samples, parameters",
                "where the speed-up is 1, and its 95 % band")
             .left()}}};

ReportTable table_of(const std::vector<Walk>& walks) {
  ReportTable table = declared_break_evens.empty();
  for (const Walk& walk : walks) {
    table.rows.push_back(
        {walk.along == Along::batch ? "batch" : "parameters", walk.of, walk.way,
         fmt::format("{}–{}", written(walk.points.front().at), written(walk.points.back().at)),
         break_evens_in_words(walk.points, written)});
  }
  return table;
}

}  // namespace

ReportTable break_even_table(const analysis::FileAnalysis& analysis) { return table_of(all_walks(analysis)); }

BreakEvenCount count_break_evens(const analysis::FileAnalysis& analysis) {
  const std::vector<Walk> walks = all_walks(analysis);
  return {walks.size(), static_cast<std::size_t>(std::ranges::count(walks, the_fastest, &Walk::way))};
}

ReportTable fastest_break_even_table(const analysis::FileAnalysis& analysis) {
  std::vector<Walk> walks = all_walks(analysis);
  std::erase_if(walks, [](const Walk& walk) { return walk.way != the_fastest; });
  return table_of(walks);
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
  for (const Walk& walk : all_walks(analysis)) {
    std::vector<BreakEven> bands = find_break_evens(walk.points);
    const Payoff side = walk.points.front().side;
    if (bands.empty()) bands = {{.below = side, .above = side}};
    for (const BreakEven& band : bands) {
      TidyRow row;
      row.add("along", walk.along == Along::batch ? "batch" : "parameters")
          .add("of", walk.of)
          .add("configuration", walk.way)
          .add("from", walk.points.front().at)
          .add("to", walk.points.back().at)
          .add("below", std::string(word_of(band.below)))
          .add("low", band.low)
          .add("break_even", band.at)
          .add("above", std::string(word_of(band.above)))
          .add("high", band.high)
          .add("sentence", break_evens_in_words(walk.points, written));
      append(std::move(row), table);
    }
  }
  return table;
}

}  // namespace breakeven
