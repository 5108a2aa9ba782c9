// SPDX-License-Identifier: Apache-2.0
#include "src/report/prediction_quality.h"

#include <cmath>

#include "src/analysis/fastest.h"
#include "src/predict/score.h"
#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/statistics/sample.h"

namespace breakeven {
namespace {

// An error in the logarithm as a share of the measured time.
Cell share_of(double log_error) {
  const double share = std::exp(log_error) - 1;
  return {format_percent(share), share};
}

std::vector<Cell> selector_row(const std::string& name, const analysis::SelectorScore& score) {
  const double asked = static_cast<double>(score.asked);
  const double right = asked > 0 ? static_cast<double>(score.right) / asked : not_measured;
  const double mean_regret = mean(score.regrets), highest_regret = highest(score.regrets);
  return {name,
          exact(static_cast<std::uint64_t>(score.asked)),
          exact(static_cast<std::uint64_t>(score.right)),
          Cell(format_percent(right), right),
          exact(static_cast<std::uint64_t>(score.no_answer)),
          Cell(format_percent(mean_regret), mean_regret),
          Cell(format_percent(highest_regret), highest_regret)};
}

}  // namespace

std::string prediction_quality_in_words() {
  return "Each measured case was predicted without itself (calibrated: the model's other cases were there; "
         "fitted: "
         "none of the model's), and from the ceilings and the single GPU's factors alone. The error is the "
         "median, and what 95 % should stay within.";
}

const DeclaredTable declared_predictions{
    {.command = "advise",
     .json = "predictions",
     .title = "Held-out errors of predicted steps, by strategy",
     .page = "predict.md#how-a-step-is-predicted",
     .columns = {
         columns::strategy, columns::precision, number("cases", "Cases", "", "each predicted without itself"),
         number("calibrated_median", "Calibrated,\nmedian", "share", "error, the model's other cases known"),
         number("calibrated_95", "95 %", "share", "that 95 % of errors keep within"),
         number("fitted_median", "Fitted,\nmedian", "share", "error, no case of the model known"),
         number("fitted_95", "95 %", "share", "that 95 % of errors keep within"),
         number("ceilings_median", "Ceilings,\nmedian", "share", "error, from the ceilings alone"),
         number("ceilings_95", "95 %", "share", "that 95 % of errors keep within")}}};

ReportTable prediction_quality_table(const StepModel& model) {
  ReportTable table = declared_predictions.empty();
  for (const StepModel::Family& family : model.families()) {
    table.rows.push_back({family.key.strategy.word(), family.key.precision.word(),
                          exact(static_cast<std::uint64_t>(family.observations.size())),
                          share_of(family.by_cell.median()), share_of(family.by_cell.half_width()),
                          share_of(family.by_model.median()), share_of(family.by_model.half_width()),
                          share_of(family.by_roofline.median()), share_of(family.by_roofline.half_width())});
  }
  return table;
}

const DeclaredTable declared_selectors{
    {.command = "advise",
     .json = "selectors",
     .title = "Selectors on the measured cases: right is within 2 % of the fastest way",
     .page = "advise.md#selectors",
     .columns = {words("selector", "Selector", "who chooses"),
                 number("asked", "Asked", "", "models and batches"),
                 number("right", "Right", "", "within 2 % of the fastest"),
                 number("right_share", "Share", "share", "right / asked"),
                 number("no_answer", "No answer", "", "counts as not right"),
                 number("mean_regret", "Mean regret", "share", "choice's time over the fastest's, less 1"),
                 number("highest_regret", "Highest", "share", "of the same")}}};

ReportTable selectors_table(const Advisor& advisor) {
  const SelectorScores scores = score_selectors(advisor);
  const analysis::SelectorScore choices = score_choices(advisor.cases());
  ReportTable table = declared_selectors.empty();
  if (scores.advisor.asked > 0) {
    table.rows.push_back(selector_row("advise, with the model held out", scores.advisor));
    table.rows.push_back(selector_row("the articles' static rule", scores.static_rule));
  }
  if (choices.asked > 0) table.rows.push_back(selector_row("run --strategies auto, as recorded", choices));
  return table;
}

}  // namespace breakeven
