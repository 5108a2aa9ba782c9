// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice/goodput_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/model/model_shape.h"
#include "src/predict/goodput.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"

namespace breakeven::report {
namespace {

constexpr std::uint32_t simulated_jobs = 200;
constexpr double hopeless = 1000;  // a job that takes so many times its work is not simulated

// Parameters and their two moments, in floats.
double state_bytes(const Case& what) { return 12.0 * static_cast<double>(what.model.value().parameters()); }

// The measured steps on so many GPUs already contain the effect of uneven ranks.
double known_ranks(const predict::ScaleModel& model, int gpus) {
  int most = 1;
  for (const analysis::MeasuredCase& measured : model.cases())
    if (measured.what.gpus <= gpus) most = std::max(most, measured.what.gpus);
  return most;
}

predict::JobPlan plan_of(const predict::Configuration& config, const predict::ScaleModel& model,
                         const GoodputRequest& request) {
  predict::JobPlan plan;
  plan.work_seconds = request.job_seconds;
  plan.step_seconds = config.seconds.centre;
  plan.mtbf_seconds = request.gpu_mtbf_seconds / config.what.gpus;
  plan.checkpoint_seconds =
      request.checkpoint_seconds.value_or(state_bytes(config.what) / request.disk_bytes_per_second);
  plan.restart_seconds = request.restart_seconds;
  plan.interval_seconds = request.interval_seconds.value_or(predict::best_interval(plan));
  plan.ranks = config.what.gpus;
  plan.known_ranks = known_ranks(model, config.what.gpus);
  return plan;
}

// Hours, because years in seconds are hard to read.
std::string format_hours(double seconds) {
  return seconds >= 3600 ? format_significant(seconds / 3600, 3) + " h" : format_seconds(seconds);
}

}  // namespace

std::string goodput_in_words(const GoodputRequest& request) {
  return fmt::format(
      "Goodput is the time of the work itself over the time that the job takes. The job has {} hours of "
      "work, "
      "and {} such jobs are simulated. Each GPU fails once in {} hours on average, and a restart takes {}. "
      "Every "
      "step waits for the slowest rank; how much ranks differ is drawn from the steps of the file's "
      "single-GPU "
      "runs.",
      format_significant(request.job_seconds / 3600, 3), simulated_jobs,
      format_significant(request.gpu_mtbf_seconds / 3600, 3), format_seconds(request.restart_seconds));
}

const DeclaredTable declared_goodput{
    {.command = "predict",
     .json = "goodput",
     .title = "Goodput: what remains after failures, checkpoints and uneven ranks; 95 % of jobs in brackets",
     .page = "predict.md",
     .columns = {columns::gpus, number("mtbf_seconds", "Between\nfailures", "s", "of any of the GPUs"),
                 number("checkpoint_seconds", "Checkpoint", "s", "that one takes"),
                 number("interval_seconds", "Every", "s", "of work between checkpoints"),
                 number("uneven_ranks", "Uneven\nranks", "", "times as long as with even ranks"),
                 number("goodput", "Goodput", "share", "work / time, simulated").left(),
                 number("daly", "Daly's,\neven ranks", "share", "the same by the closed form"),
                 number("failures", "Failures\na job", "", "mean"),
                 columns::samples_per_second.headed("Samples/s\nleft")}}};

ReportTable goodput_table(const std::vector<predict::ScalePoint>& points, const predict::ScaleModel& model,
                          const GoodputRequest& request) {
  ReportTable table = declared_goodput.empty();
  for (const predict::ScalePoint& point : points) {
    const predict::Configuration& config = point.best;
    const predict::JobPlan plan = plan_of(config, model, request);
    const predict::StepSpread spread = predict::spread_of(model.cases(), config.what.precision);
    const double uneven = spread.expected_highest(plan.ranks) / spread.expected_highest(plan.known_ranks);
    const double daly = plan.work_seconds / predict::expected_seconds(plan);
    std::vector<Cell> row{
        count_cell(config.what.gpus), Cell(format_hours(plan.mtbf_seconds), plan.mtbf_seconds),
        Cell(format_seconds(plan.checkpoint_seconds), plan.checkpoint_seconds),
        Cell(format_hours(plan.interval_seconds), plan.interval_seconds), Cell(format_ratio(uneven), uneven)};
    const Cell unknown = dash_cell();
    if (daly * hopeless > 1) {
      const predict::Goodput left = predict::simulate_jobs(plan, spread, simulated_jobs);
      const double samples = left.mean * config.samples_per_second;
      row.emplace_back(format_ratio(statistics::Interval{left.mean, left.low, left.high, simulated_jobs}),
                       left.mean);
      row.emplace_back(format_ratio(daly), daly);
      row.emplace_back(format_significant(left.failures, 3), left.failures);
      row.emplace_back(format_rate(samples), samples);
    } else {
      row.insert(row.end(), {unknown, Cell(format_ratio(daly), daly), unknown, unknown});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace breakeven::report
