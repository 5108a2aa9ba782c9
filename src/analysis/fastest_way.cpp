// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/fastest_way.h"

#include <map>
#include <optional>

#include "src/core/strategy/case_strategy.h"
#include "src/statistics/selection.h"

namespace breakeven::analysis {
namespace {

struct Choice {
  const CaseResult* line = nullptr;
  Winner winner;
};

// Unconnected copies train as many models as there are GPUs: they are no rival in training one. What `auto`
// chose is one of the rivals already.
std::vector<Choice> choices_of(const CaseResults& lines) {
  std::map<std::uint32_t, std::vector<const CaseResult*>> by_batch;
  for (const CaseResult& line : lines) {
    const Case& what = line.measured->what;
    if (!traits_of(what).copies && what.chosen.empty()) by_batch[line.measured->what.batch].push_back(&line);
  }
  std::vector<Choice> choices;
  for (const auto& [batch, of_batch] : by_batch) {
    std::vector<std::vector<PairedBlock>> rivals;
    for (const CaseResult* line : of_batch) rivals.push_back(line->comparison.blocks);
    const std::optional<Winner> winner = choose_by_halves(rivals);
    if (winner) choices.push_back({of_batch[winner->rival], *winner});
  }
  return choices;
}

// Only every second launch or repeat counts here, so that it takes twice as many.
Decision in_both_halves(Decision decision) {
  decision.more_units *= 2;
  return decision;
}

}  // namespace

std::vector<FastestWay> fastest_ways(const CaseResults& lines) {
  const std::vector<Choice> choices = choices_of(lines);
  std::vector<RatioEstimate> speedups;
  for (const Choice& choice : choices) speedups.push_back(choice.winner.speedup);
  const std::vector<Decision> decisions = decide_together(speedups);
  std::vector<FastestWay> ways;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    ways.push_back({choices[i].line, speedups[i], in_both_halves(decisions[i]), choices[i].winner.is_agreed});
  }
  return ways;
}

}  // namespace breakeven::analysis
