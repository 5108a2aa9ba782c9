// SPDX-License-Identifier: Apache-2.0
// What `auto` chose, what it saw before, and how good the choice was by what was measured beside it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/analysis/fastest.h"
#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"
#include "src/report/tidy_row.h"

namespace breakeven {
namespace {

std::string way_on(const std::string& strategy, int gpus) { return fmt::format("{} on {}", strategy, gpus); }

bool had_a_choice(const analysis::ChoiceReview& review) { return review.run->candidates.size() > 1; }

// For machines, and for people: the advantage is of the fastest way over the choice.
std::string_view regret_word(const analysis::JudgedChoice& one) {
  if (!had_a_choice(one.review)) return "no_choice";
  if (chose_fastest(one.review)) return "fastest";
  switch (one.decision.verdict) {
    case Payoff::pays:
      return "slower";
    case Payoff::same:
      return "same";
    case Payoff::does_not_pay:
      return "faster";
    case Payoff::undecided:
      return "undecided";
    case Payoff::not_measured:
      break;
  }
  return "not_measured";
}

std::string regret_phrase(const analysis::JudgedChoice& one) {
  const std::string_view word = regret_word(one);
  if (word == "no_choice") return "nothing to choose";
  if (word == "fastest") return "chose the fastest";
  if (word == "slower") return "another way is faster";
  if (word == "faster") return "faster than any other";
  return phrase_of(one.decision);
}

// "1.2 % (0.3–2.1 %)"
Cell regret_cell(const Interval& advantage) {
  std::string text = format_percent(advantage.centre - 1);
  if (!std::isfinite(advantage.centre)) return {std::string(dash), not_measured};
  if (advantage.has_bounds())
    text += fmt::format(" ({} to {})", format_percent(advantage.low - 1), format_percent(advantage.high - 1));
  return {text, advantage.centre - 1};
}

// After so many steps; a dash where the choice is that way itself.
Cell earned_cell(const analysis::ChoiceReview& review, const std::string& strategy, int gpus,
                 const std::vector<analysis::MeasuredCase>& cases) {
  const Case& what = review.measured->what;
  if (what.chosen == strategy && what.gpus == gpus) return {std::string(dash), not_measured};
  const double steps =
      analysis::steps_to_earn(review.run->choosing_seconds, review.measured->timed().step.mean_seconds,
                              seconds_of_configuration(review, strategy, gpus, cases));
  if (std::isinf(steps)) return {"never", not_measured};
  if (!std::isfinite(steps)) return {std::string(dash), not_measured};
  return {format_count(static_cast<std::uint64_t>(std::ceil(steps))), std::ceil(steps)};
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
  const double choosing = review.run->choosing_seconds;
  const std::string fastest = review.fastest == nullptr
                                  ? std::string(dash)
                                  : way_on(review.fastest->what.strategy, review.fastest->what.gpus);
  return {Cell(fmt::format("{}", what.batch), std::int64_t{what.batch}),
          way_on(what.chosen, what.gpus),
          exact(static_cast<std::uint64_t>(review.run->candidates.size())),
          Cell(format_seconds(probed), probed),
          Cell(format_seconds(measured), measured),
          Cell(format_seconds(choosing), choosing),
          earned_cell(review, "single", 1, analysis.cases()),
          earned_cell(review, "ddp", most_gpus(review), analysis.cases()),
          fastest,
          regret_cell(review.advantage.ratio),
          Cell(regret_phrase(one), std::string(regret_word(one)))};
}

// "212 µs (208–216)" in the style of a step, with the bounds as half a width.
Cell seconds_cell(double centre, double low, double high) {
  return {format_seconds(Interval{centre, low, high, 0}), centre};
}

}  // namespace

const DeclaredTable declared_choices{
    {.command = "report",
     .json = "choices",
     .title = "What auto chose, and its regret against the fastest way measured beside it",
     .page = "auto.md#the-report",
     .columns = {
         columns::batch, columns::chosen, number("candidates", "Of\nways", "", "among which it chose"),
         columns::probed_seconds, columns::step_seconds.headed("Step,\nmeasured").right(),
         columns::choosing_seconds,
         number("steps_to_earn_over_single", "Earned back over\none GPU, steps", "steps",
                "that earn the choosing back, against one GPU"),
         number("steps_to_earn_over_ddp", "over ddp\non all", "steps", "the same against `ddp` on all GPUs"),
         words("fastest", "Fastest measured", "of the strategies measured beside it"), columns::regret,
         words("verdict", "Verdict",
               "`fastest`, `same`, `slower`, `faster`, `undecided`, `no_choice`, `not_measured`")}}};

ReportTable choices_table(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  ReportTable table = declared_choices.empty();
  for (const analysis::JudgedChoice& one : group.choices) table.rows.push_back(choice_row(one, analysis));
  return table;
}

const DeclaredTable declared_candidates{
    {.command = "report",
     .json = "choice_candidates",
     .title = "What auto saw: the ways that it chose among, with 95 % bounds",
     .page = "auto.md#the-report",
     .columns = {columns::batch, columns::strategy.headed("Way"), columns::gpus,
                 words("is_chosen", "Chosen", "whether it is the choice"), columns::predicted_seconds,
                 columns::probed_seconds.headed("Probed").left(),
                 number("probe_steps", "Steps", "steps", "of all its probes"),
                 columns::step_seconds.headed("Measured").right()}}};

ReportTable candidates_table(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  ReportTable table = declared_candidates.empty();
  for (const analysis::JudgedChoice& judged : group.choices) {
    const analysis::ChoiceReview& review = judged.review;
    const std::uint32_t batch = review.measured->what.batch;
    const AutoCandidate* chosen = chosen_one(review);
    for (const AutoCandidate& one : review.run->candidates) {
      const double seconds = measured_seconds(review, one.strategy, one.gpus, analysis.cases());
      table.rows.push_back({Cell(fmt::format("{}", batch), std::int64_t{batch}), one.strategy,
                            exact(static_cast<std::uint64_t>(one.gpus)),
                            Cell(&one == chosen ? "yes" : "", &one == chosen),
                            seconds_cell(one.predicted_seconds, one.predicted_low, one.predicted_high),
                            seconds_cell(one.probed_seconds, one.probed_low, one.probed_high),
                            exact(std::uint64_t{one.probe_steps}), Cell(format_seconds(seconds), seconds)});
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
  const Interval advantage = found == nullptr ? Interval{} : found->review.advantage.ratio;
  row.add("choosing_seconds", found == nullptr ? not_measured : found->review.run->choosing_seconds)
      .add("regret", advantage.centre - 1)
      .add("regret_low", advantage.low - 1)
      .add("regret_high", advantage.high - 1)
      .add("regret_verdict", Cell(found == nullptr ? "" : regret_word(*found)));
}

}  // namespace breakeven
