// SPDX-License-Identifier: Apache-2.0
// What `auto` chose, among which candidates, and how good the choice was by what was measured beside it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/analysis/fastest.h"
#include "src/core/as_whole.h"
#include "src/core/strategy/case_strategy.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/sections/sections.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/words/interval_scopes.h"

namespace breakeven::report {
namespace {

std::string name_on(const std::string& strategy, int gpus) { return fmt::format("{} on {}", strategy, gpus); }

bool had_a_choice(const analysis::ChoiceReview& review) { return review.run->candidates.size() > 1; }

struct RegretVerdict {
  std::string_view key;  // for programs
  std::string phrase;    // for people
  statistics::Payoff colour = statistics::Payoff::not_measured;
};

// The advantage is of the fastest configuration over the choice.
RegretVerdict regret_verdict(const analysis::JudgedChoice& one) {
  if (!had_a_choice(one.review)) return {"no_choice", "nothing to choose"};
  if (analysis::chose_fastest(one.review)) return {"fastest", "chose the fastest"};
  const statistics::Payoff verdict = one.decision.verdict;
  if (verdict == statistics::Payoff::pays) return {"slower", "another is faster"};
  if (verdict == statistics::Payoff::does_not_pay)
    return {"faster", "faster than any other", statistics::Payoff::pays};
  return {word_of(verdict), phrase_of(one.decision), verdict};
}

// "1.2 % (0.3–2.1 %)"
Cell regret_cell(const statistics::Interval& advantage) {
  std::string text = format_percent(advantage.centre - 1);
  if (!std::isfinite(advantage.centre)) return dash_cell();
  if (advantage.has_bounds())
    text += fmt::format(" ({} to {})", format_percent(advantage.low - 1), format_percent(advantage.high - 1));
  return {text, advantage.centre - 1};
}

// After so many steps; a dash where the choice is that configuration itself.
Cell earned_cell(const analysis::ChoiceReview& review, const std::string& strategy, int gpus,
                 const std::vector<analysis::MeasuredCase>& cases) {
  const Case& what = review.measured->what;
  if (what.chosen == strategy && what.gpus == gpus) return dash_cell();
  const double steps =
      analysis::steps_to_earn(review.run->choosing_seconds, review.measured->timed().step.mean_seconds,
                              analysis::seconds_of_configuration(review, strategy, gpus, cases));
  if (std::isinf(steps)) return {"never", not_measured};
  if (!std::isfinite(steps)) return dash_cell();
  return {format_count(as_whole<std::uint64_t>(std::ceil(steps))), std::ceil(steps)};
}

int most_gpus(const analysis::ChoiceReview& review) {
  int most = 1;
  for (const AutoCandidate& candidate : review.run->candidates) most = std::max(most, candidate.gpus);
  return most;
}

const AutoCandidate* chosen_one(const analysis::ChoiceReview& review) {
  const Case& what = review.measured->what;
  const auto& candidates = review.run->candidates;
  const auto found = std::ranges::find_if(candidates, [&](const AutoCandidate& one) {
    return one.strategy == what.chosen && one.gpus == what.gpus;
  });
  return found == candidates.end() ? nullptr : &*found;
}

std::vector<Cell> choice_row(const analysis::JudgedChoice& one, const analysis::FileAnalysis& analysis) {
  const analysis::ChoiceReview& review = one.review;
  const Case& what = review.measured->what;
  const AutoCandidate* chosen = chosen_one(review);
  const double probed = chosen == nullptr ? not_measured : chosen->probed_seconds;
  const double measured = review.measured->timed().step.mean_seconds;
  const RegretVerdict verdict = regret_verdict(one);
  const std::string fastest = review.fastest == nullptr
                                  ? std::string(dash)
                                  : name_on(review.fastest->what.strategy, review.fastest->what.gpus);
  return {batch_cell(what),
          name_on(what.chosen, what.gpus),
          count_cell(review.run->candidates.size()),
          seconds_cell(probed),
          seconds_cell(measured),
          seconds_cell(review.run->choosing_seconds),
          earned_cell(review, std::string(single_gpu_strategy), 1, analysis.cases()),
          earned_cell(review, "ddp", most_gpus(review), analysis.cases()),
          fastest,
          regret_cell(review.advantage.ratio),
          Cell(verdict.phrase, std::string(verdict.key), verdict.colour)};
}

// "212 µs ± 4 µs": the bounds as half a width.
Cell interval_cell(double centre, double low, double high) {
  return {format_seconds(statistics::Interval{centre, low, high, 0}), centre};
}

}  // namespace

const DeclaredTable declared_autotuning{
    {.command = "report",
     .json = "autotuning",
     .title =
         "Autotuning: what auto chose, and its regret (time lost against the fastest configuration measured "
         "beside it; below 0 %: the choice was faster), with its 95 % interval{}",
     .page = "auto.md#the-report",
     .columns = {
         columns::batch, columns::chosen, number("candidates", "Candidates", "", "among which it chose"),
         columns::probed_seconds, columns::step_seconds.headed("Step,\nmeasured").right(),
         columns::autotuning_seconds,
         number("steps_to_earn_over_single", "Earned back in\nsteps: one GPU", "steps",
                "after which autotuning has paid off, against one GPU"),
         number("steps_to_earn_over_ddp", "ddp on\nall GPUs", "steps", "the same against `ddp` on all GPUs"),
         words("fastest", "Fastest measured", "of the strategies measured beside it"), columns::regret,
         words("verdict", "Verdict",
               "`fastest`, `same`, `slower`, `faster`, `undecided`, `no_choice`, `not_measured`")}}};

ReportTable autotuning_table(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  ReportTable table = declared_autotuning.empty();
  table.title = fmt::format(fmt::runtime(table.title), in_brackets(scopes_of_regrets(group)));
  for (const analysis::JudgedChoice& one : group.choices) table.rows.push_back(choice_row(one, analysis));
  return table;
}

const DeclaredTable declared_candidates{
    {.command = "report",
     .json = "autotuning_candidates",
     .title = "Autotuning candidates: what auto chose among, with 95 % bounds",
     .page = "auto.md#the-report",
     .columns = {columns::batch, columns::strategy.headed("Candidate"), columns::gpus,
                 words("is_chosen", "Chosen", "whether it is the choice").typed(JsonType::truth),
                 columns::predicted_seconds, columns::probed_seconds.headed("Probed").left(),
                 number("probe_steps", "Steps", "steps", "of all its probes"),
                 columns::step_seconds.headed("Measured").right()}}};

ReportTable candidates_table(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  ReportTable table = declared_candidates.empty();
  for (const analysis::JudgedChoice& judged : group.choices) {
    const analysis::ChoiceReview& review = judged.review;
    const AutoCandidate* chosen = chosen_one(review);
    for (const AutoCandidate& one : review.run->candidates) {
      const double seconds = analysis::measured_seconds(review, one.strategy, one.gpus, analysis.cases());
      table.rows.push_back({batch_cell(review.measured->what), one.strategy, count_cell(one.gpus),
                            Cell(&one == chosen ? "yes" : "", &one == chosen),
                            interval_cell(one.predicted_seconds, one.predicted_low, one.predicted_high),
                            interval_cell(one.probed_seconds, one.probed_low, one.probed_high),
                            count_cell(one.probe_steps), seconds_cell(seconds)});
    }
  }
  return table;
}

void add_choice(const analysis::CaseSummary& summary, const analysis::FileAnalysis& analysis, TidyRow& row) {
  const analysis::JudgedChoice* found = nullptr;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::JudgedChoice& one : group.choices)
      if (&one.review.measured->timed() == &summary) found = &one;
  }
  const statistics::Interval advantage =
      found == nullptr ? statistics::Interval{} : found->review.advantage.ratio;
  row.add("autotuning_seconds", found == nullptr ? not_measured : found->review.run->choosing_seconds)
      .add("regret", advantage.centre - 1)
      .add("regret_low", advantage.low - 1)
      .add("regret_high", advantage.high - 1)
      .add("regret_verdict", Cell(found == nullptr ? "" : regret_verdict(*found).key));
}

}  // namespace breakeven::report
