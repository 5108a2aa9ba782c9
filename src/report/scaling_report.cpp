// SPDX-License-Identifier: Apache-2.0
// The answer first, then the curve, then what it rests on.
#include "src/report/scaling_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/failure.h"
#include "src/report/advice_tables.h"
#include "src/report/columns.h"
#include "src/report/document.h"
#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/scaling_tables.h"

namespace breakeven::report {
namespace {

const predict::ScalePoint& point_on(int gpus, const std::vector<predict::ScalePoint>& points) {
  return *std::ranges::find_if(points,
                               [&](const predict::ScalePoint& one) { return one.best.what.gpus == gpus; });
}

std::string speed_in_words(const predict::Configuration& way) {
  std::string text =
      fmt::format("{} a step, {} samples/s", range_of(way.seconds), format_rate(way.samples_per_second));
  if (std::isnan(way.speedup.centre)) return text;
  return text + fmt::format(", a speed-up of {} over one GPU", format_ratio(way.speedup));
}

bool fits_on_one(const std::vector<predict::ScalePoint>& points) {
  return std::ranges::any_of(
      points, [](const predict::ScalePoint& point) { return point.best.what.gpus == 1 && point.best.fits; });
}

std::string verdict_in_words(const predict::ScaleAnswer& found,
                             const std::vector<predict::ScalePoint>& points) {
  if (!fits_on_one(points))
    return "One GPU cannot hold the model and its batch, so there is no speed-up over it.";
  if (found.faster_from == 0) return "None of the numbers of GPUs tried is faster than one GPU.";
  if (found.pays_from == found.faster_from) return fmt::format("More GPUs pay from {}.", found.pays_from);
  if (found.pays_from == 0)
    return fmt::format("More GPUs are faster from {} by the best estimate, but on no number is that certain.",
                       found.faster_from);
  return fmt::format("More GPUs pay with certainty from {}, and by the best estimate are faster from {}.",
                     found.pays_from, found.faster_from);
}

std::string half_in_words(const predict::ScaleAnswer& found) {
  if (found.faster_from == 0 || found.pays_from == 0) return "";
  return found.half_to > 1
             ? fmt::format(" At least half of perfect scaling is reached up to {} GPUs.", found.half_to)
             : " None of the numbers tried reaches half of perfect scaling.";
}

std::string fastest_in_words(const predict::ScaleAnswer& found,
                             const std::vector<predict::ScalePoint>& points) {
  const predict::Configuration& fastest = point_on(found.fastest, points).best;
  if (found.surest == found.fastest)
    return fmt::format("{} is the fastest: {}.", name_of_way(fastest), speed_in_words(fastest));
  const predict::Configuration& surest = point_on(found.surest, points).best;
  return fmt::format(
      "{} is the safest choice, by the lower end of its interval: {}. {} is the fastest by the best "
      "estimate: "
      "{}.",
      name_of_way(surest), speed_in_words(surest), name_of_way(fastest), speed_in_words(fastest));
}

std::string answer(const std::vector<predict::ScalePoint>& points, const ScalingRequest& request,
                   const Results& results) {
  const predict::ScaleAnswer found = predict::answer_of(points);
  const ModelShape shape = std::get<ModelShape>(parse_model(request.query.model));
  const std::string verdict = found.fastest == 0
                                  ? "No configuration fits into the memory of the GPUs."
                                  : fmt::format("{} {}{}", verdict_in_words(found, points),
                                                fastest_in_words(found, points), half_in_words(found));
  return fmt::format(
      "{} This is predicted for {} ({} parameters) at batch {}{} on {}, from measurements on {}.", verdict,
      request.query.model, format_count(shape.parameters()), request.query.batch,
      request.scaling == Scaling::weak ? " a GPU" : "", request.machine.name, machine_name(results));
}

const DeclaredTable declared_whole{
    {.command = "predict",
     .page = "predict.md",
     .columns = {columns::format, columns::version, columns::file, columns::machine,
                 datum("topology", "", "name of the machine"), columns::model, columns::batch,
                 columns::scaling, columns::answer, datum("curve", "", "the rows of the CSV, by GPUs"),
                 datum("measured", "", "cases of this model and batch"),
                 datum("parts", "", "of each best step"), datum("levels", "", "of the machine"),
                 datum("calls", "", "as measured"), datum("goodput", "", "of `--mtbf`"),
                 datum("cases", "", "of `--hold-out-gpus`")}}};

nlohmann::ordered_json as_json(const std::vector<predict::ScalePoint>& points,
                               const predict::ScaleModel& model, const ScalingRequest& request,
                               const Results& results) {
  nlohmann::ordered_json json{{"file", results.path},
                              {"machine", machine_name(results)},
                              {"topology", request.machine.name},
                              {"model", request.query.model},
                              {"batch", request.query.batch},
                              {"scaling", name_of(request.scaling)},
                              {"answer", answer(points, request, results)},
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
                     const ScalingRequest& request, const Results& results) {
  Document document;
  document.heading(1, "breakeven predict: " + results.path);
  document.item(answer(points, request, results));
  if (ran_on_host(results)) document.item(host_warning(results));
  for (const std::string& sentence : basis_in_words(model)) document.item(sentence);
  document.table(curve_table(points, request.price_an_hour));
  document.table(parts_table(points));
  if (request.goodput.gpu_mtbf_seconds > 0) {
    document.heading(2, "Goodput");
    document.paragraph(goodput_in_words(request.goodput));
    document.table(goodput_table(points, model, request.goodput));
  }
  document.heading(2, "What communication is predicted from");
  document.table(levels_table(model));
  document.table(calls_table(model));
  return document;
}

}  // namespace

std::string make_scaling_report(const analysis::FileAnalysis& analysis, const ScalingRequest& request,
                                ReportFormat format) {
  const Results& results = analysis.results();
  const predict::ScaleModel model(analysis, request.machine);
  const std::vector<predict::ScalePoint> points =
      predict::scaling_curve(model, request.query, request.scaling, request.gpus);
  if (points.empty()) {
    throw Failure(ExitCode::file, fmt::format("'{}' has no measurements from which {} at batch {} on these "
                                              "numbers of GPUs can be predicted",
                                              results.path, request.query.model, request.query.batch));
  }
  return print({.name = "breakeven prediction",
                .version = scaling_report_version,
                .document = [&] { return document_of(points, model, request, results); },
                .rows = [&] { return curve_data(points, request.price_an_hour); },
                .json = [&] { return as_json(points, model, request, results); }},
               format);
}

}  // namespace breakeven::report
