// SPDX-License-Identifier: Apache-2.0
// How good predictions of more GPUs are: measured cases predicted from those on fewer.

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/failure.h"
#include "src/predict/scale_model.h"
#include "src/report/advice/advice_tables.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/document.h"
#include "src/report/format/numbers.h"
#include "src/report/predict/scaling_report.h"
#include "src/report/predict/scaling_tables.h"
#include "src/report/words/machine.h"

namespace breakeven::report {
namespace {

std::string signed_percent(double share) {
  return fmt::format("{}{}", share < 0 ? "−" : "+", format_percent(std::abs(share)));
}

Cell held_out_error_cell(double share) { return {signed_percent(share), share}; }

const DeclaredTable declared_held_out{
    {.command = "predict",
     .json = "cases",
     .title = "Held-out cases; 95 % intervals",
     .page = "predict.md",
     .columns = {
         columns::model, columns::batch, columns::gpus, columns::strategy, columns::precision.elsewhere(),
         columns::scaling.elsewhere(), columns::predicted_seconds,
         number("measured_seconds", "Measured", "s", "mean step").left(),
         number("error", "Error", "share", "predicted / measured, less 1"),
         words("inside", "Inside", "whether measured lies in the predicted interval").typed(JsonType::truth),
         number("exchange_seconds", "Exchange", "s", "of the predicted step"), columns::basis.elsewhere()}}};

const DeclaredTable declared_hold_out{
    {.command = "predict",
     .page = "predict.md",
     .format = "breakeven held-out prediction",
     .version = 1,
     .columns = {columns::format, columns::version, columns::file, columns::answer,
                 datum("cases", "", "of `--hold-out-gpus`"), datum("calls", "", "as measured")}}};

ReportTable cases_table(const std::vector<predict::HeldOutCase>& cases) {
  ReportTable table = declared_held_out.empty();
  for (const predict::HeldOutCase& one : cases) {
    const predict::Prediction& predicted = one.predicted;
    const statistics::Interval interval{predicted.seconds, predicted.low, predicted.high, 0};
    const double exchange = predicted.parts[index_of(predict::StepTerm::latency)] +
                            predicted.parts[index_of(predict::StepTerm::bandwidth)];
    table.rows.push_back(
        {one.what.model.word(), count_cell(one.what.batch), count_cell(one.what.gpus),
         one.what.strategy.word(), one.what.precision.word(), one.what.scaling.word(),
         Cell(format_seconds(interval), interval.centre),
         Cell(format_seconds(one.measured), one.measured.centre), held_out_error_cell(one.error()),
         Cell(one.is_inside() ? "yes" : "no", one.is_inside()), Cell(format_seconds(exchange), exchange),
         basis_of({.what = one.what, .basis = predicted.basis})});
  }
  return table;
}

// Of the share inside. Errors of one model are alike, so that each model is one unit.
std::string coverage_in_words(const statistics::Interval& share) {
  if (!share.has_bounds()) return format_percent(share.centre);
  return fmt::format("{}; 95 % CI {}–{} by {} models", format_percent(share.centre),
                     format_percent(share.low), format_percent(share.high), share.n);
}

std::string answer(const std::vector<predict::HeldOutCase>& cases, int gpus, const Results& results) {
  const predict::HoldOutScore score = predict::score_of(cases);
  return fmt::format(
      "The predictions have a median error of {} and a largest error of {}. {} of {} measured means lie "
      "within the predicted 95 % interval ({}). On {}, {} cases on {} GPUs were predicted from the cases and "
      "collective calls on fewer; each interval comes from the errors on the other models.",
      format_percent(score.median_error), format_percent(score.highest_error), score.inside, cases.size(),
      coverage_in_words(score.coverage), machine_name(results), cases.size(), gpus);
}

Document document_of(const std::vector<predict::HeldOutCase>& cases, const predict::ScaleModel& model,
                     int gpus, const Results& results) {
  Document document;
  document.heading(1, "breakeven predict: " + results.path);
  document.item(answer(cases, gpus, results));
  for (const std::string& sentence : basis_in_words(model)) document.item(sentence);
  ReportTable table = cases_table(cases);
  say_shared({"precision", "scaling", "basis"}, table);
  document.table(std::move(table));
  document.table(printed_calls(model));
  return document;
}

}  // namespace

std::string make_hold_out_report(const analysis::FileAnalysis& analysis, int gpus, ReportFormat format) {
  const Results& results = analysis.results();
  const predict::ScaleModel model(analysis, predict::machine_as_measured(), gpus - 1);
  const std::vector<predict::HeldOutCase> cases = predict::predict_held_out(model, gpus);
  if (cases.empty()) {
    throw Failure(ExitCode::file,
                  fmt::format("'{}' has no case on {} GPUs that can be predicted from cases on fewer",
                              results.path, gpus));
  }
  return print({.whole = declared_hold_out,
                .document = [&] { return document_of(cases, model, gpus, results); },
                .rows = [&] { return cases_table(cases); },
                .json = [&]() -> nlohmann::ordered_json {
                  return {{"file", results.path},
                          {"answer", answer(cases, gpus, results)},
                          {"cases", render_json(cases_table(cases))},
                          {"calls", render_json(calls_table(model))}};
                }},
               format);
}

}  // namespace breakeven::report
