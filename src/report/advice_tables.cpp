// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice_tables.h"

#include <cmath>

#include <fmt/format.h>

#include "src/analysis/fastest.h"
#include "src/predict/score.h"
#include "src/report/cells.h"
#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/tidy_row.h"
#include "src/statistics/sample.h"

namespace breakeven::report {
namespace {

Cell gpus_cell(const predict::Configuration& way) { return count_cell(way.what.gpus); }
Cell plain_cell(double value) { return {format_significant(value, 3), value}; }

std::string basis_of(const predict::Configuration& way) {
  return way.is_measured ? std::string("measured") : fmt::format("predicted, {}", name_of(way.basis));
}

}  // namespace

std::string name_of_way(const predict::Configuration& way) {
  return fmt::format("{}{} on {} in {}", way.what.strategy, nccl_suffix(way.what),
                     way.what.gpus == 1 ? std::string("one GPU") : fmt::format("{} GPUs", way.what.gpus),
                     way.what.precision);
}

const DeclaredTable declared_ways{
    {.command = "advise",
     .json = "ways",
     .title = "Configurations, the fastest first; 95 % intervals",
     .page = "advise.md",
     .columns = {columns::gpus, columns::strategy, columns::precision, columns::step_seconds.headed("Step"),
                 columns::samples_per_second, columns::speedup, columns::verdict,
                 columns::memory_bytes.headed("Memory of a rank").meant("predicted, of a rank"),
                 columns::fits, columns::basis}}};

ReportTable ways_table(const std::vector<predict::Configuration>& ways) {
  ReportTable table = declared_ways.empty();
  for (const predict::Configuration& way : ways) {
    table.rows.push_back({gpus_cell(way), way.what.strategy.word() + nccl_suffix(way.what),
                          way.what.precision.word(), Cell(format_seconds(way.seconds), way.seconds.centre),
                          Cell(format_rate(way.samples_per_second), way.samples_per_second),
                          ratio_cell(way.speedup), way.what.gpus > 1 ? phrase_of(way.decision) : "base",
                          bytes_cell(way.memory_bytes), Cell(way.fits ? "yes" : "no", way.fits),
                          basis_of(way)});
  }
  return table;
}

const DeclaredTable declared_map{
    {.command = "advise",
     .json = "map",
     .page = "advise.md",
     .columns = {columns::parameters, columns::model, columns::batch, columns::gpus, columns::strategy,
                 columns::precision, columns::fits, columns::speedup.with_interval(), columns::verdict}}};

ReportTable map_table(const std::vector<predict::MapPoint>& points) {
  ReportTable table = declared_map.empty();
  for (const predict::MapPoint& point : points) {
    const predict::Configuration& way = point.configuration;
    TidyRow row;
    row.add("parameters", point.parameters)
        .add("model", Cell(way.what.model))
        .add("batch", std::uint64_t{way.what.batch})
        .add("gpus", gpus_cell(way))
        .add("strategy", Cell(way.what.strategy))
        .add("precision", Cell(way.what.precision.word()))
        .add("fits", exact(way.fits))
        .add("speedup", way.speedup)
        .add("verdict", Cell(word_of(way.decision.verdict)));
    append(std::move(row), table);
  }
  return table;
}

const DeclaredTable declared_why{
    {.command = "advise",
     .title = "Where a step's time goes, by the fitted model",
     .page = "predict.md#how-a-step-is-predicted",
     .columns = {words("part", "Part", "term of the step"),
                 number("single_seconds", "One GPU", "s", "on one GPU"),
                 number("best_seconds", "STRATEGY", "s", "of the fastest strategy on more"),
                 words("meaning", "What it is", "in words")}}};

ReportTable why_table(const predict::Configuration& best, const predict::Configuration& single) {
  ReportTable table = declared_why.empty();
  table.columns[2].header = best.what.strategy;
  for (std::size_t i = 0; i < predict::step_term_count; ++i) {
    table.rows.push_back({std::string(predict::step_terms[i].name), seconds_cell(single.parts[i]),
                          seconds_cell(best.parts[i]), std::string(predict::step_terms[i].meaning)});
  }
  return table;
}

const DeclaredTable declared_jobs{
    {.command = "advise",
     .json = "jobs",
     .title = "A job of {} samples in each configuration; 95 % intervals",
     .page = "advise.md#whether-it-pays",
     .columns = {columns::gpus, columns::strategy, columns::precision,
                 number("start_seconds", "Start", "s", "connecting, set-up, first step"),
                 number("job_seconds", "Whole job", "s", "start and all samples").left(),
                 number("gpu_hours", "GPU-hours", "h", "GPUs times the job"),
                 number("cost", "Cost", "money", "GPU-hours times `--price` plus hours times `--hour-value`"),
                 words("in_time", "Deadline", "whether in time: surely, surely not, undecided")}}};

ReportTable job_table(const std::vector<predict::JobEstimate>& jobs, const predict::Job& job) {
  const auto in_time = [&](const predict::JobEstimate& one) -> std::string {
    if (!(job.deadline_seconds > 0)) return std::string(dash);
    if (one.in_time == predict::InTime::surely) return "in time";
    return one.in_time == predict::InTime::perhaps ? "undecided" : "too late";
  };
  ReportTable table = declared_jobs.empty();
  table.title = fmt::format(fmt::runtime(table.title), format_significant(job.samples, 3));
  for (const predict::JobEstimate& one : jobs) {
    const Case& what = one.configuration->what;
    table.rows.push_back({gpus_cell(*one.configuration), what.strategy.word(), what.precision.word(),
                          seconds_cell(one.start.centre),
                          Cell(format_duration(one.seconds), one.seconds.centre), plain_cell(one.gpu_hours),
                          plain_cell(one.cost), in_time(one)});
  }
  return table;
}

const DeclaredTable declared_turning_points{
    {.command = "advise",
     .json = "turning_points",
     .title =
         "Where the answer changes: the fastest configuration on more GPUs against the fastest single GPU",
     .page = "advise.md",
     .columns = {words("direction", "Varied", "batch, link bandwidth, or layer width"),
                 number("at", "To", "samples, times", "the batch, or the factor"), columns::strategy,
                 columns::speedup, columns::verdict}}};

ReportTable turning_points_table(const std::vector<Turning>& turnings) {
  ReportTable table = declared_turning_points.empty();
  for (const Turning& turning : turnings) {
    for (const predict::ScanPoint& point : turning.points) {
      table.rows.push_back(
          {Cell(turning.name, turning.key), Cell(turning.unit(point.place.at), point.place.at),
           point.strategy, ratio_cell(point.speedup),
           Cell(statistics::phrase_of({.verdict = point.verdict}), std::string(word_of(point.verdict)))});
    }
  }
  return table;
}

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
         number("ceilings_median", "Roofline,\nmedian", "share", "error, from the roofline alone"),
         number("ceilings_95", "95 %", "share", "that 95 % of errors keep within")}}};

ReportTable prediction_quality_table(const predict::StepModel& model) {
  const auto share_of = [](double log_error) { return share_cell(std::exp(log_error) - 1); };
  ReportTable table = declared_predictions.empty();
  for (const predict::StepModel::Family& family : model.families()) {
    table.rows.push_back({family.key.strategy.word(), family.key.precision.word(),
                          count_cell(static_cast<std::int64_t>(family.observations.size())),
                          share_of(family.by_cell.median()), share_of(family.by_cell.half_width()),
                          share_of(family.by_model.median()), share_of(family.by_model.half_width()),
                          share_of(family.by_roofline.median()), share_of(family.by_roofline.half_width())});
  }
  return table;
}

const DeclaredTable declared_selectors{
    {.command = "advise",
     .json = "selectors",
     .title = "How often a selector is right on the measured cases: within 2 % of the fastest configuration",
     .page = "advise.md#selectors",
     .columns = {words("selector", "Selector", "who chooses"),
                 number("asked", "Asked", "", "models and batches"),
                 number("right", "Right", "", "within 2 % of the fastest"),
                 number("right_share", "Share", "share", "right / asked"),
                 number("no_answer", "No answer", "", "counts as not right"),
                 number("mean_regret", "Mean regret", "share", "choice's time over the fastest's, less 1"),
                 number("highest_regret", "Highest", "share", "of the same")}}};

ReportTable selectors_table(const predict::Advisor& advisor) {
  ReportTable table = declared_selectors.empty();
  const auto add = [&](const char* name, const analysis::SelectorScore& score) {
    if (score.asked == 0) return;
    table.rows.push_back({name, count_cell(static_cast<std::int64_t>(score.asked)),
                          count_cell(static_cast<std::int64_t>(score.right)),
                          share_cell(static_cast<double>(score.right) / static_cast<double>(score.asked)),
                          count_cell(static_cast<std::int64_t>(score.no_answer)),
                          share_cell(statistics::mean(score.regrets)),
                          share_cell(statistics::highest(score.regrets))});
  };
  const predict::SelectorScores scores = predict::score_selectors(advisor);
  add("advise, with the model held out", scores.advisor);
  if (scores.advisor.asked > 0) add("the articles' static rule", scores.static_rule);
  add("run --strategies auto, as recorded", analysis::score_choices(advisor.cases()));
  return table;
}

}  // namespace breakeven::report
