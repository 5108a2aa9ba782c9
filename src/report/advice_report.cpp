// SPDX-License-Identifier: Apache-2.0
// The answer first, then why, then what would turn it, then how good predictions are.
#include "src/report/advice_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/failure.h"
#include "src/predict/scan.h"
#include "src/report/advice_costs.h"
#include "src/report/advice_job.h"
#include "src/report/columns.h"
#include "src/report/document.h"
#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/prediction_quality.h"
#include "src/report/tidy_row.h"
#include "src/report/turning_points.h"
#include "src/report/way_words.h"

namespace breakeven {
namespace {

const Configuration* fastest_single(const std::vector<Configuration>& ways,
                                    const Level<Precision>& precision) {
  const Configuration* best = nullptr;
  for (const Configuration& way : ways) {
    const bool single = way.what.gpus == 1 && way.what.precision == precision && way.fits;
    if (single && (best == nullptr || way.seconds.centre < best->seconds.centre)) best = &way;
  }
  return best;
}

std::string basis_of(const Configuration& way) {
  return way.is_measured ? std::string("measured") : fmt::format("predicted, {}", name_of(way.basis));
}

std::string answer(const std::vector<Configuration>& ways, const Query& query, const Results& results) {
  const Configuration& best = ways.front();
  const ModelShape shape = std::get<ModelShape>(parse_model(query.model));
  std::string text = fmt::format(
      "On {}, {} ({} parameters) at batch {} is trained fastest by {}: {} a step, {} samples/s ({})",
      machine_name(results), query.model, format_count(shape.parameters()), query.batch, name_of_way(best),
      format_seconds(best.seconds), format_rate(best.samples_per_second), basis_of(best));
  if (best.what.gpus > 1) {
    return text + fmt::format(". That is {} times as fast as the fastest single GPU: {}.",
                              format_ratio(best.speedup), phrase_of(best.decision));
  }
  const auto rival = std::ranges::find_if(ways, [](const Configuration& way) { return way.what.gpus > 1; });
  if (rival == ways.end()) return text + "; no way on more than one GPU is known for it.";
  return text + fmt::format(". The fastest way on more, {}, is {} times as fast: {}.", name_of_way(*rival),
                            format_ratio(rival->speedup), phrase_of(rival->decision));
}

const DeclaredTable declared_ways{
    {.command = "advise",
     .json = "ways",
     .title = "Ways to train it, the fastest first; 95 % intervals",
     .page = "advise.md",
     .columns = {columns::gpus, columns::strategy, columns::precision, columns::step_seconds.headed("Step"),
                 columns::samples_per_second, columns::speedup, columns::verdict,
                 columns::memory_bytes.headed("Memory of a rank").meant("predicted, of a rank"),
                 columns::fits, columns::basis}}};

ReportTable ways_table(const std::vector<Configuration>& ways) {
  ReportTable table = declared_ways.empty();
  for (const Configuration& way : ways) {
    table.rows.push_back({exact(static_cast<std::uint64_t>(way.what.gpus)),
                          way.what.strategy.word() + nccl_suffix(way.what), way.what.precision.word(),
                          Cell(format_seconds(way.seconds), way.seconds.centre),
                          Cell(format_rate(way.samples_per_second), way.samples_per_second),
                          Cell(format_ratio(way.speedup), way.speedup.centre),
                          way.what.gpus > 1 ? phrase_of(way.decision) : "base",
                          Cell(format_bytes(way.memory_bytes), way.memory_bytes),
                          Cell(way.fits ? "yes" : "no", way.fits), basis_of(way)});
  }
  return table;
}

// One row a point, for pictures.
const DeclaredTable declared_map{
    {.command = "advise",
     .json = "map",
     .page = "advise.md",
     .columns = {columns::parameters, columns::model, columns::batch, columns::gpus, columns::strategy,
                 columns::precision, columns::fits, columns::speedup.with_interval(), columns::verdict}}};

ReportTable map_table(const std::vector<MapPoint>& points) {
  ReportTable table = declared_map.empty();
  for (const MapPoint& point : points) {
    const Configuration& way = point.configuration;
    TidyRow row;
    row.add("parameters", point.parameters)
        .add("model", Cell(way.what.model))
        .add("batch", std::uint64_t{way.what.batch})
        .add("gpus", static_cast<std::uint64_t>(way.what.gpus))
        .add("strategy", Cell(way.what.strategy))
        .add("precision", Cell(way.what.precision.word()))
        .add("fits", exact(way.fits))
        .add("speedup", way.speedup.centre)
        .add("speedup_low", way.speedup.low)
        .add("speedup_high", way.speedup.high)
        .add("verdict", Cell(word_of(way.decision.verdict)));
    append(std::move(row), table);
  }
  return table;
}

// Of the best way and of the fastest single GPU: what their steps are made of, by the model.
const DeclaredTable declared_why{
    {.command = "advise",
     .title = "Why: what a step is made of, by the fitted model",
     .page = "predict.md#how-a-step-is-predicted",
     .columns = {words("part", "Part", "term of the step"),
                 number("single_seconds", "One GPU", "s", "on one GPU"),
                 number("best_seconds", "STRATEGY", "s", "of the fastest strategy on more"),
                 words("meaning", "What it is", "in words")}}};

ReportTable why_table(const Configuration& best, const Configuration& single) {
  ReportTable table = declared_why.empty();
  table.columns[2].header = best.what.strategy;
  for (std::size_t i = 0; i < step_term_count; ++i) {
    table.rows.push_back(
        {std::string(step_terms[i].name), Cell(format_seconds(single.parts[i]), single.parts[i]),
         Cell(format_seconds(best.parts[i]), best.parts[i]), std::string(step_terms[i].meaning)});
  }
  return table;
}

const Configuration* fastest_shared(const std::vector<Configuration>& ways) {
  const auto way =
      std::ranges::find_if(ways, [](const Configuration& one) { return one.what.gpus > 1 && one.fits; });
  return way == ways.end() ? nullptr : &*way;
}

// What the file says, made once for all formats.
struct Advice {
  Advice(const Results& results, const AdviceRequest& request)
      : request(request), file(results), advisor(file), ways(advisor.configurations(request.query)) {
    if (ways.empty()) return;
    more = fastest_shared(ways);
    if (more != nullptr) one = fastest_single(ways, more->what.precision);
    turnings = look_around(advisor, request.query);
    if (request.costs.job.samples > 0) jobs = estimate_jobs(ways, request.costs.job, advisor);
  }
  bool has_rivals() const { return one != nullptr && more != nullptr; }
  std::string deadline() const {
    const Job& job = request.costs.job;
    return job.deadline_seconds > 0 ? deadline_in_words(jobs, job, request.query, advisor) : "";
  }

  const AdviceRequest& request;
  analysis::FileAnalysis file;
  Advisor advisor;
  std::vector<Configuration> ways;
  const Configuration* one = nullptr;   // the fastest single GPU
  const Configuration* more = nullptr;  // the fastest way on more, in the same precision
  std::vector<Turning> turnings;
  std::vector<JobEstimate> jobs;
};

const DeclaredTable declared_whole{
    {.command = "advise",
     .page = "advise.md",
     .columns = {columns::format, columns::version, columns::file, columns::answer,
                 datum("ways", "", "the rows of the CSV, fastest first"),
                 datum("costs", "", "of more GPUs over one"), datum("jobs", "", "of `--samples`"),
                 datum("deadline", "", "the sentences of `--deadline`"),
                 datum("turning_points", "", "by direction"), datum("predictions", "", "how good they are"),
                 datum("selectors", "", "how often each is right"),
                 datum("map", "", "of `--map`: predicted speed-ups")}}};

nlohmann::ordered_json as_json(const Advice& advice, const Results& results) {
  const AdviceRequest& request = advice.request;
  nlohmann::ordered_json json{{"format", "breakeven advice"},
                              {"version", advice_report_version},
                              {"file", results.path},
                              {"answer", answer(advice.ways, request.query, results)},
                              {"ways", render_json(ways_table(advice.ways))},
                              {"costs", nlohmann::ordered_json::array()},
                              {"jobs", render_json(job_table(advice.jobs, request.costs.job))},
                              {"deadline", advice.deadline()},
                              {"turning_points", render_json(turning_points_table(advice.turnings))},
                              {"predictions", render_json(prediction_quality_table(advice.advisor.model()))},
                              {"selectors", render_json(selectors_table(advice.advisor))}};
  if (advice.has_rivals())
    json["costs"] = render_json(tidy_costs(*advice.one, *advice.more, advice.advisor, request.costs));
  if (request.with_map) json["map"] = render_json(map_table(map_speedups(advice.advisor, request.query)));
  return json;
}

void add_costs(const Advice& advice, Document& document) {
  if (!advice.has_rivals()) return;
  document.heading(
      2, fmt::format("Whether it pays: {} against the fastest single GPU", name_of_way(*advice.more)));
  for (const std::string& sentence :
       costs_in_words(*advice.one, *advice.more, advice.advisor, advice.request.costs))
    document.item(sentence);
}

Document document_of(const Advice& advice, const Results& results) {
  Document document;
  document.heading(1, "breakeven advise: " + results.path);
  document.item(answer(advice.ways, advice.request.query, results));
  if (ran_on_host(results)) document.item(host_warning(results));
  const std::string deadline = advice.deadline();
  if (!deadline.empty()) document.item(deadline);
  for (const std::string& sentence : turning_points(advice.turnings)) document.item(sentence);
  document.table(ways_table(advice.ways));
  document.table(job_table(advice.jobs, advice.request.costs.job));
  add_costs(advice, document);
  document.heading(2, "Why, and what would turn it");
  if (advice.has_rivals()) document.table(why_table(*advice.more, *advice.one));
  document.table(turning_points_table(advice.turnings));
  document.heading(2, "How good the predictions are");
  document.paragraph(prediction_quality_in_words());
  document.table(prediction_quality_table(advice.advisor.model()));
  document.table(selectors_table(advice.advisor));
  return document;
}

}  // namespace

std::string make_advice_report(const Results& results, const AdviceRequest& request, ReportFormat format) {
  const Advice advice(results, request);
  if (advice.ways.empty()) {
    throw Failure(ExitCode::file, fmt::format("'{}' holds nothing from which {} at batch {} could be told",
                                              results.path, request.query.model, request.query.batch));
  }
  if (format == ReportFormat::csv) return render_csv(ways_table(advice.ways));
  if (format == ReportFormat::json)
    return as_json(advice, results).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
           "\n";
  const Document document = document_of(advice, results);
  return format == ReportFormat::markdown ? document.markdown() : document.text();
}

}  // namespace breakeven
