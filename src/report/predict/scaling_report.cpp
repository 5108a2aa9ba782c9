// SPDX-License-Identifier: Apache-2.0
// The answer first, then the curve, then what it rests on.
#include "src/report/predict/scaling_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/failure.h"
#include "src/report/advice/no_prediction.h"
#include "src/report/format/columns.h"
#include "src/report/format/document.h"
#include "src/report/predict/scaling_answer.h"
#include "src/report/predict/scaling_tables.h"
#include "src/report/words/machine.h"

namespace breakeven::report {
namespace {

const DeclaredTable declared_scaling{
    {.command = "predict",
     .page = "predict.md",
     .format = "breakeven prediction",
     .version = 2,
     .columns = {columns::format, columns::version, columns::file, columns::machine,
                 words("topology", "", "name of the machine"), columns::model, columns::batch,
                 columns::scaling, columns::answer,
                 words("left_out", "", "numbers of GPUs that have no configuration, and why"),
                 datum("curve", "", "the rows of the CSV, by GPUs"),
                 datum("measured", "", "cases of this model and batch"),
                 datum("parts", "", "of each best step"), datum("levels", "", "of the machine"),
                 datum("calls", "", "as measured"), datum("goodput", "", "of `--mtbf`").elsewhere()}}};

nlohmann::ordered_json as_json(const std::vector<predict::ScalePoint>& points,
                               const predict::ScaleModel& model, const ScalingRequest& request,
                               const analysis::FileAnalysis& analysis) {
  const Results& results = analysis.results();
  nlohmann::ordered_json json{{"file", results.path},
                              {"machine", machine_name(results)},
                              {"topology", request.machine.name},
                              {"model", request.query.model},
                              {"batch", request.query.batch},
                              {"scaling", name_of(request.scaling)},
                              {"answer", scaling_answer(points, request, analysis)},
                              {"left_out", left_out_in_words(points, request)},
                              {"curve", render_json(curve_data(points, request.price_an_hour))},
                              {"measured", render_json(measured_data(points))},
                              {"parts", render_json(parts_table(points))},
                              {"levels", render_json(levels_table(model))},
                              {"calls", render_json(calls_table(model))}};
  if (request.goodput.gpu_mtbf_seconds > 0)
    json["goodput"] = render_json(goodput_table(points, model, request.goodput));
  return json;
}

Document document_of(const std::vector<predict::ScalePoint>& points, const predict::ScaleModel& model,
                     const ScalingRequest& request, const analysis::FileAnalysis& analysis) {
  const Results& results = analysis.results();
  Document document;
  document.heading(1, "breakeven predict: " + results.path);
  document.item(scaling_answer(points, request, analysis));
  if (const std::string left_out = left_out_in_words(points, request); !left_out.empty())
    document.item(left_out);
  if (ran_on_host(results)) document.item(host_warning(results));
  for (const std::string& sentence : basis_in_words(model)) document.item(sentence);
  document.table(curve_table(points));
  document.table(bounds_table(points, request.price_an_hour));
  document.table(parts_table(points));
  if (request.goodput.gpu_mtbf_seconds > 0) {
    document.heading(2, "Goodput");
    document.paragraph(goodput_in_words(request.goodput));
    document.table(goodput_table(points, model, request.goodput));
  }
  document.heading(2, "What communication is predicted from");
  document.table(levels_table(model));
  document.table(printed_calls(model));
  return document;
}

}  // namespace

std::string make_scaling_report(const analysis::FileAnalysis& analysis, const ScalingRequest& request,
                                ReportFormat format) {
  const predict::ScaleModel model(analysis, request.machine);
  const std::vector<predict::ScalePoint> points =
      predict::scaling_curve(model, request.query, request.scaling, request.gpus, request.least_efficiency);
  if (points.empty()) throw Failure(ExitCode::file, why_no_prediction(analysis, request.query));
  const auto is_asked = [&](const predict::ScalePoint& point) {
    return point.best.what.gpus > 1 || request.gpus.back() == 1;
  };
  if (std::ranges::none_of(points, is_asked))
    throw Failure(ExitCode::usage, left_out_in_words(points, request));
  return print({.whole = declared_scaling,
                .document = [&] { return document_of(points, model, request, analysis); },
                .rows = [&] { return curve_data(points, request.price_an_hour); },
                .json = [&] { return as_json(points, model, request, analysis); }},
               format);
}

}  // namespace breakeven::report
