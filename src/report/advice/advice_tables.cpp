// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice/advice_tables.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/group_words.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/words/interval_scopes.h"

namespace breakeven::report {
namespace {

Cell gpus_cell(const predict::Configuration& config) { return count_cell(config.what.gpus); }
Cell plain_cell(double value) { return {format_significant(value, 3), value}; }

// What would make a job meet its deadline.
std::string rescue_in_words(const predict::Rescue& rescue) {
  const auto plain = [](double number) { return format_significant(number, 3); };
  std::vector<std::string> changes;
  if (rescue.samples > 0) {
    changes.push_back(fmt::format("with {} samples", plain(rescue.samples)));
    changes.push_back(fmt::format("with steps {} times as fast", format_ratio(rescue.speedup)));
  } else {
    changes.push_back("with a shorter start, which alone takes longer");
  }
  if (rescue.batch > 0)
    changes.push_back(
        fmt::format("at batch {}, if training needs no more samples there", format_count(rescue.batch)));
  if (rescue.link_factor > 0)
    changes.push_back(fmt::format("on a link of {} times the bandwidth", plain(rescue.link_factor)));
  return fmt::format("It would be in time {}.", fmt::join(changes, ", or "));
}

}  // namespace

std::string basis_of(const predict::Configuration& config) {
  return config.is_measured ? std::string("measured") : fmt::format("predicted, {}", name_of(config.basis));
}

Cell verdict_of_advice(const statistics::Decision& decision) {
  return decision.verdict == statistics::Payoff::not_measured ? Cell("no interval") : verdict_cell(decision);
}

Cell baseline_cell() { return {std::string(is_baseline.label), std::string(is_baseline.key)}; }

Cell strategy_cell(const Case& what) {
  const std::string word = what.strategy.word();
  return {fmt::format("{}{}{}", word, is_exact(what) ? "" : " (lossy)", exchange_suffix(what)), word};
}

std::string in_precision(const Case& what) {
  const std::string_view word = what.precision.word();
  return word == "unknown" ? "" : fmt::format(" in {}", word);
}

std::string name_of_configuration(const predict::Configuration& config) {
  return fmt::format(
      "{} on {}{}", strategy_cell(config.what).text,
      config.what.gpus == 1 ? std::string("one GPU") : fmt::format("{} GPUs", config.what.gpus),
      in_precision(config.what));
}

namespace {

Cell verdict_of(const predict::Configuration& configuration) {
  return configuration.what.gpus > 1 ? verdict_of_advice(configuration.decision) : baseline_cell();
}

}  // namespace

constexpr std::string_view meaning_of_memory =
    "of a rank, with its samples: measured where this case was, else predicted";
const DeclaredTable declared_configurations{
    {.command = "advise",
     .title = "Configurations, the fastest first; 95 % intervals{}",
     .page = "advise.md",
     .columns = {columns::gpus, columns::strategy, columns::precision.elsewhere(),
                 columns::step_seconds.headed("Step"), columns::samples_per_second, columns::speedup,
                 columns::verdict, columns::memory_bytes.headed("Memory\nof a rank").meant(meaning_of_memory),
                 columns::fits.elsewhere(), columns::basis.elsewhere()}}};

ReportTable configurations_table(const std::vector<predict::Configuration>& configs) {
  ReportTable table = declared_configurations.empty();
  std::vector<const predict::Configuration*> all;
  for (const predict::Configuration& config : configs) all.push_back(&config);
  table.title = fmt::format(fmt::runtime(table.title), in_brackets(scopes_of_configurations(all)));
  for (const predict::Configuration& config : configs) {
    table.rows.push_back(
        {gpus_cell(config), strategy_cell(config.what), config.what.precision.word(),
         Cell(format_seconds(config.seconds), config.seconds.centre),
         Cell(format_rate(config.samples_per_second, config.seconds), config.samples_per_second),
         ratio_cell(config.speedup), verdict_of(config), bytes_cell(config.memory_bytes),
         Cell(config.fits ? "yes" : "no", config.fits), basis_of(config)});
  }
  say_shared({"precision", "fits", "basis"}, table);
  return table;
}

namespace {

struct ConfigurationRow {
  const predict::Configuration& configuration;
  const statistics::Interval& break_even_batch;

  const Case& what() const { return configuration.what; }
};

const TidyTable<ConfigurationRow> configuration_rows(
    {.command = "advise", .json = "configurations", .page = "advise.md"},
    {{columns::gpus, [](auto& one) { return gpus_cell(one.configuration); }},
     {columns::strategy,
      [](auto& one) { return Cell(one.what().strategy.word() + nccl_suffix(one.what())); }},
     {columns::collective, [](auto& one) { return Cell(one.what().transport.word()); }},
     {columns::lossy, [](auto& one) { return exact(!is_exact(one.what())); }},
     {columns::precision, [](auto& one) { return Cell(one.what().precision.word()); }},
     {columns::step_seconds, [](auto& one) { return one.configuration.seconds; }},
     {columns::samples_per_second, [](auto& one) { return one.configuration.samples_per_second; }},
     {columns::speedup, [](auto& one) { return one.configuration.speedup; }},
     {columns::verdict, [](auto& one) { return verdict_of(one.configuration); }},
     {columns::memory_bytes.meant(meaning_of_memory),
      [](auto& one) { return one.configuration.memory_bytes; }},
     {columns::fits, [](auto& one) { return exact(one.configuration.fits); }},
     {columns::basis, [](auto& one) { return Cell(basis_of(one.configuration)); }},
     {datum("break_even_batch", "samples", "where the plan's speed-up is 1, and its 95 % interval"),
      [](auto& one) { return one.break_even_batch; }}});

const TidyTable<predict::MapPoint> map_rows(
    {.command = "advise", .json = "map", .page = "advise.md"},
    {{columns::parameters, [](auto& point) { return count_cell(point.parameters); }},
     {columns::model, [](auto& point) { return Cell(point.configuration.what.model); }},
     {columns::batch, [](auto& point) { return count_cell(point.configuration.what.batch); }},
     {columns::gpus, [](auto& point) { return gpus_cell(point.configuration); }},
     {columns::strategy, [](auto& point) { return Cell(point.configuration.what.strategy); }},
     {columns::precision, [](auto& point) { return Cell(point.configuration.what.precision.word()); }},
     {columns::fits, [](auto& point) { return exact(point.configuration.fits); }},
     {columns::speedup, [](auto& point) { return point.configuration.speedup; }},
     {columns::verdict, [](auto& point) { return Cell(word_of(point.configuration.decision.verdict)); }}});

}  // namespace

ReportTable tidy_configurations(const std::vector<predict::Configuration>& configs,
                                const std::vector<statistics::Interval>& break_even_batches) {
  ReportTable table = configuration_rows.empty();
  for (std::size_t i = 0; i < configs.size(); ++i)
    configuration_rows.add({configs[i], break_even_batches[i]}, table);
  return table;
}

ReportTable map_table(const std::vector<predict::MapPoint>& points) { return map_rows.of(points); }

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
  table.columns[2].header = strategy_cell(best.what).text;
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

std::string in_time_in_words(const predict::JobEstimate& one, const predict::Job& job) {
  if (!(job.deadline_seconds > 0)) return std::string(dash);
  if (one.in_time == predict::InTime::surely) return "in time";
  return one.in_time == predict::InTime::perhaps ? "undecided" : "too late";
}

ReportTable job_table(const std::vector<predict::JobEstimate>& jobs, const predict::Job& job) {
  ReportTable table = declared_jobs.empty();
  table.title = fmt::format(fmt::runtime(table.title), format_significant(job.samples, 3));
  for (const predict::JobEstimate& one : jobs) {
    const Case& what = one.configuration->what;
    table.rows.push_back({gpus_cell(*one.configuration), strategy_cell(what), what.precision.word(),
                          seconds_cell(one.start.centre),
                          Cell(format_duration(one.seconds), one.seconds.centre), plain_cell(one.gpu_hours),
                          plain_cell(one.cost), in_time_in_words(one, job)});
  }
  return table;
}

std::string wanted_in_words(const predict::Job& job) {
  const std::string samples = format_significant(job.samples, 3) + " samples";
  if (!(job.deadline_seconds > 0)) return samples;
  return fmt::format("{} in {}", samples, format_duration(job.deadline_seconds));
}

std::string in_words(const predict::JobEstimate& job) {
  const std::string cost = std::isnan(job.cost) ? format_significant(job.gpu_hours, 3) + " GPU-hours"
                                                : "at a cost of " + format_significant(job.cost, 3);
  return fmt::format("{}: {}, {}", name_of_configuration(*job.configuration), format_duration(job.seconds),
                     cost);
}

std::string deadline_in_words(const std::vector<predict::JobEstimate>& jobs, const predict::Job& job,
                              const predict::Query& query, const predict::Advisor& advisor) {
  if (!(job.deadline_seconds > 0)) return "";
  const std::string wanted = wanted_in_words(job);
  const predict::JobEstimate* best = predict::best_in_time(jobs);
  if (best == nullptr)
    return fmt::format("Not known: no start was measured of a configuration that could train {}.", wanted);
  const std::string found = in_words(*best) + ".";
  if (best->in_time == predict::InTime::surely)
    return fmt::format("The cheapest configuration that trains {} is {}", wanted, found);
  const std::string rescue = rescue_in_words(predict::rescue_of(*best, job, query, advisor));
  if (best->in_time == predict::InTime::perhaps)
    return fmt::format("It is undecided whether any configuration trains {}. The cheapest that may is {} {}",
                       wanted, found, rescue);
  return fmt::format("No configuration trains {}. The nearest is {} {}", wanted, found, rescue);
}

}  // namespace breakeven::report
