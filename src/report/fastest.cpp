// SPDX-License-Identifier: Apache-2.0
// The fastest of several ways to use more GPUs, batch by batch.
#include <map>
#include <optional>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"
#include "src/statistics/selection.h"

namespace breakeven {
namespace {

struct Choice {
  const analysis::Line* line = nullptr;
  Winner winner;
};

// Unconnected copies train as many models as there are GPUs: they are no rival in training one. What `auto`
// chose is one of the rivals already.
std::vector<Choice> choices_of(const analysis::Group& group) {
  std::map<std::uint32_t, std::vector<const analysis::Line*>> by_batch;
  for (const analysis::Line& line : group.lines) {
    const Case& what = line.measured->what;
    if (!traits_of(what).copies && what.chosen.empty()) by_batch[line.measured->what.batch].push_back(&line);
  }
  std::vector<Choice> choices;
  for (const auto& [batch, lines] : by_batch) {
    std::vector<std::vector<PairedBlock>> rivals;
    for (const analysis::Line* line : lines) rivals.push_back(line->comparison.blocks);
    const std::optional<Winner> winner = choose_by_halves(rivals);
    if (winner) choices.push_back({lines[winner->rival], *winner});
  }
  return choices;
}

// Only every second launch or repeat counts here, so that it takes twice as many.
Decision in_both_halves(Decision decision) {
  decision.more_units *= 2;
  return decision;
}

}  // namespace

std::vector<FastestWay> fastest_ways(const analysis::Group& group) {
  const std::vector<Choice> choices = choices_of(group);
  std::vector<RatioEstimate> speedups;
  for (const Choice& choice : choices) speedups.push_back(choice.winner.speedup);
  const std::vector<Decision> decisions = decide_together(speedups);
  std::vector<FastestWay> ways;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    ways.push_back({choices[i].line, speedups[i], in_both_halves(decisions[i]), choices[i].winner.is_agreed});
  }
  return ways;
}

ReportTable fastest_table(const analysis::Group& group) {
  ReportTable table{
      "The fastest on more than one GPU, chosen by one half of the runs; its speed-up is that of the other "
      "half",
      {{"batch", "Batch"},
       {"strategy", "Fastest", Align::left},
       {"is_agreed", "Both halves\nchoose it", Align::left},
       {"speedup", "Speed-up", Align::left},
       {"of_all", "Where it\nwas chosen too"},
       {"verdict", "Verdict", Align::left}},
      {}};
  for (const auto& [line, speedup, decision, is_agreed] : fastest_ways(group)) {
    const Case& what = line->measured->what;
    const double of_all = line->comparison.speedup.ratio.centre;
    table.rows.push_back({Cell(fmt::format("{}", what.batch), std::int64_t{what.batch}),
                          strategy_of(what, group), Cell(is_agreed ? "yes" : "no", is_agreed),
                          Cell(format_ratio(speedup.ratio), speedup.ratio.centre),
                          Cell(format_ratio(of_all), of_all), phrase_of(decision)});
  }
  return table;
}

}  // namespace breakeven
