// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice/advice_quality.h"

#include <cmath>

#include <fmt/format.h>

#include "src/core/text/lists.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/statistics/sample.h"

namespace breakeven::report {
namespace {

Cell plain_count(std::size_t count) { return count_cell(count); }
Cell error_cell(double log_error) { return share_cell(std::expm1(log_error)); }

}  // namespace

const DeclaredTable declared_predictions{
    {.command = "advise",
     .json = "predictions",
     .title = "Errors of predicted steps on cases that were held out, by strategy",
     .page = "predict.md#how-a-step-is-predicted",
     .columns = {
         columns::strategy, columns::precision, number("cases", "Cases", "", "each predicted without itself"),
         number("calibrated_median", "Calibrated,\nmedian", "share", "error, the model's other cases known"),
         number("calibrated_95", "95 %", "share", "that 95 % of errors keep within"),
         number("fitted_median", "Fitted,\nmedian", "share", "error, no case of the model known"),
         number("fitted_95", "95 %", "share", "that 95 % of errors keep within"),
         number("roofline_median", "Roofline,\nmedian", "share", "error, from the roofline alone"),
         number("roofline_95", "95 %", "share", "that 95 % of errors keep within")}}};

ReportTable prediction_quality_table(const predict::StepModel& model) {
  ReportTable table = declared_predictions.empty();
  for (const predict::StepModel::Family& family : model.families()) {
    std::vector<Cell> row{strategy_cell(family.key), family.key.precision.word(),
                          plain_count(family.observations.size())};
    const predict::ByBasis<predict::HeldOut>& errors = family.errors;
    for (const predict::HeldOut* held_out : {&errors.by_cell, &errors.by_model, &errors.by_roofline}) {
      row.push_back(error_cell(held_out->median()));
      row.push_back(error_cell(held_out->half_width()));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

const DeclaredColumn held_out = words("held_out", "Held out", "what is excluded from the fit");
const DeclaredTable declared_coverage{
    {.command = "advise",
     .json = "coverage",
     .title = "How often the 95 % interval of a predicted speed-up contains the measured one",
     .page = "advise.md#how-good-it-is",
     .columns = {
         held_out, number("asked", "Speed-ups", "", "predicted with an interval"),
         number("inside", "Inside", "", "measured within it"),
         number("units", "Units", "", "models, batches or launches held out"),
         number("coverage", "Share", "share", "inside / asked"),
         number("coverage_low", "At least", "share", "95 % binomial interval, what is held out as one unit"),
         number("coverage_high", "At most", "share", "its upper end"),
         number("median_half_width", "Median ±", "share", "half of the interval's width"),
         number("decided", "Decided", "", "whole interval over 1.02 or under 0.98"),
         number("wrong", "Wrong", "", "of them: measured on the other side of 1")}}};

ReportTable coverage_table(const std::vector<predict::HeldOutReview>& reviews) {
  ReportTable table = declared_coverage.empty();
  for (const predict::HeldOutReview& review : reviews) {
    const predict::Coverage& found = review.coverage;
    if (found.asked == 0) continue;
    const statistics::Interval share = found.share();
    table.rows.push_back({std::string(name_of(review.by)), plain_count(found.asked),
                          plain_count(found.inside), plain_count(share.n), share_cell(share.centre),
                          share_cell(share.low), share_cell(share.high),
                          error_cell(statistics::median(found.half_widths)), plain_count(found.decided),
                          plain_count(found.wrong)});
  }
  return table;
}

const DeclaredTable declared_selectors{
    {.command = "advise",
     .json = "selectors",
     .title = "How often a selector is right on held-out cases",
     .page = "advise.md#how-good-it-is",
     .columns = {held_out, words("selector", "Selector", "who chooses"),
                 number("asked", "Asked", "", "models and batches"),
                 number("right", "Right", "", "choices within 2 % of the fastest"),
                 number("right_share", "Share", "share", "right / asked"),
                 number("right_verdicts", "Verdicts\nright", "",
                        "one GPU or more, whichever is faster; either within 2 % of each other"),
                 number("no_answer", "No answer", "", "counts as not right"),
                 number("speedup_error", "Error of\nspeed-ups", "share", "root mean square, of logarithms"),
                 number("mean_regret", "Mean regret", "share", "choice's time over the fastest's, less 1"),
                 number("highest_regret", "Highest", "share", "of the same")}}};

namespace {

// `verdicts` is a dash where they are not known.
void add_selector(std::string held_out_by, std::string name, const analysis::SelectorScore& score,
                  Cell verdicts, const std::vector<double>& log_errors, ReportTable& table) {
  if (score.asked == 0) return;
  const double rms = statistics::root_mean_square(log_errors);
  table.rows.push_back(
      {std::move(held_out_by), std::move(name), plain_count(score.asked), plain_count(score.right),
       share_cell(static_cast<double>(score.right) / static_cast<double>(score.asked)), std::move(verdicts),
       plain_count(score.no_answer), share_cell(rms), share_cell(statistics::mean(score.regrets)),
       share_cell(statistics::highest(score.regrets))});
}

}  // namespace

ReportTable selectors_table(const std::vector<predict::HeldOutReview>& reviews,
                            const std::vector<analysis::MeasuredCase>& cases) {
  ReportTable table = declared_selectors.empty();
  for (const predict::HeldOutReview& review : reviews)
    for (const predict::HeldOutScore& score : review.scores)
      add_selector(std::string(name_of(review.by)), score.selector, score.choices,
                   plain_count(score.right_verdicts), score.log_errors, table);
  add_selector("nothing", "run --strategies auto, as recorded", analysis::score_choices(cases), dash_cell(),
               {}, table);
  return table;
}

std::vector<std::string> selectors_in_words(const std::vector<predict::HeldOutReview>& reviews) {
  constexpr double chance = 0.05;
  std::vector<std::string> sentences;
  for (const predict::HeldOutReview& review : reviews) {
    if (review.scores.empty()) continue;
    const predict::HeldOutScore& advise = review.scores.front();
    std::vector<std::string> as_good;
    for (const predict::HeldOutScore& rival : review.scores) {
      const bool is_worse =
          rival.choices.right < advise.choices.right && predict::difference_by_chance(advise, rival) < chance;
      if (&rival != &advise && !is_worse)
        as_good.push_back(fmt::format("“{}” ({})", rival.selector, rival.choices.right));
    }
    sentences.push_back(fmt::format(
        "With each {} held out, advise chooses right in {} of {} cases. {}", name_of(review.by),
        advise.choices.right, advise.choices.asked,
        as_good.empty() ? "No simpler rule is as good."
                        : fmt::format("Not significantly worse than advise: {}.", join_list(as_good))));
  }
  return sentences;
}

std::string interpolation_in_words(const predict::BetweenBatches& between) {
  if (between.is_empty()) return "";
  const std::vector<double> errors = between.errors().known();
  std::string text =
      "breakeven does not know the layers or the strategies of the programs that recorded themselves. "
      "It answers for their measured batches and interpolates between them.";
  if (errors.empty()) return text + " The error of that is not known: no batch lies between two others.";
  text += fmt::format(
      " Each batch that lies between two others was predicted from them: {} of them, with a median "
      "error of {}.",
      errors.size(), format_percent(std::expm1(between.errors().median())));
  const double half_width = between.errors().half_width();
  if (!std::isfinite(half_width)) return text + " That is too few for an interval.";
  return text + fmt::format(" 95 % should stay within {}.", format_percent(std::expm1(half_width)));
}

}  // namespace breakeven::report
