// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "src/report/advice/advice_tables.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/machines/machine_answers.h"
#include "src/report/tidy/tidy_row.h"

namespace breakeven::report {
namespace {

statistics::Interval joules_of(const JobChoice& choice) {
  if (choice.job == nullptr) return {};
  return statistics::times(
      predict::energy_of(*choice.job->configuration, choice.machine->advisor).joules_a_sample,
      choice.machine->asked.request.costs.job.samples);
}

// Money, or without prices nothing.
statistics::Interval money_of(const JobChoice& choice) {
  if (choice.job == nullptr || std::isnan(choice.job->cost)) return {};
  return predict::price_of(*choice.job);
}

statistics::Interval break_even_of(const MachineAnswer& machine) {
  return last_break_even(machine.along_batches.places);
}

const Case& what_of(const JobChoice& choice) { return choice.job->configuration->what; }

template <typename Get>
Cell of_job(const JobChoice& choice, Get get) {
  return choice.job == nullptr ? dash_cell() : Cell(get(*choice.job));
}

const DeclaredTable declared_machine_rows{
    {.command = "advise",
     .title = "Machines side by side: {}; 95 % intervals",
     .page = "advise.md#several-machines",
     .columns = {
         words("machine", "Machine", "its devices"),
         words("choice", "It is", "fastest or cheapest of the machine; with a deadline, in time if any is"),
         columns::gpus, columns::strategy, columns::precision.elsewhere(), columns::basis.elsewhere(),
         words("break_even", "More GPUs are", "faster or slower than one, along the batch"),
         number("job_seconds", "Whole job", "s", "start and all samples").left(),
         number("gpu_hours", "GPU-hours", "h", "GPUs times the job").elsewhere(),
         number("cost", "Cost", "money", "GPU-hours times the machine's `--price`, and `--hour-value`")
             .left()
             .elsewhere(),
         number("joules", "Energy,\nkWh", "J", "of all GPUs, for all samples").elsewhere(),
         words("in_time", "Deadline", "whether in time: surely, surely not, undecided").elsewhere()}}};

constexpr double joules_a_kilowatt_hour = 3.6e6;

const TidyTable<JobChoice> declared_choices{
    {.command = "advise", .json = "machines", .page = "advise.md#several-machines"},
    {{words("machine", "", "its devices"), [](auto& one) { return one.machine->asked.name; }},
     {columns::file.meant("its results files"),
      [](auto& one) { return one.machine->asked.file->results().path; }},
     {words("choice", "", "`fastest`, `cheapest` or both of the machine"),
      [](auto& one) { return one.job == nullptr ? dash_cell() : Cell(one.word); }},
     {datum("price_an_hour", "money", "`--price`"),
      [](auto& one) {
        const double price = one.machine->asked.request.costs.job.cost.a_gpu;
        return price > 0 ? price : not_measured;
      }},
     {columns::gpus,
      [](auto& one) { return of_job(one, [&](auto&) { return axis_cell(Axis::gpus, what_of(one)); }); }},
     {columns::strategy,
      [](auto& one) { return of_job(one, [&](auto&) { return what_of(one).strategy.word(); }); }},
     {columns::precision,
      [](auto& one) { return of_job(one, [&](auto&) { return what_of(one).precision.word(); }); }},
     {columns::basis,
      [](auto& one) { return of_job(one, [](auto& job) { return basis_of(*job.configuration); }); }},
     {datum("break_even_batch", "samples",
            "where the fastest on more GPUs has a speed-up of 1, and its 95 % interval"),
      [](auto& one) { return break_even_of(*one.machine); }},
     {columns::sentence,
      [](auto& one) { return break_evens_in_words(one.machine->along_batches.places, whole_number); }},
     {datum("job_seconds", "s", "start and all samples"),
      [](auto& one) { return one.job == nullptr ? statistics::Interval{} : one.job->seconds; }},
     {datum("gpu_hours", "h", "GPUs times the job"),
      [](auto& one) { return one.job == nullptr ? not_measured : one.job->gpu_hours; }},
     {datum("cost", "money", "GPU-hours times the machine's `--price`, and `--hour-value`"), money_of},
     {datum("joules", "J", "of all GPUs, for all samples"), joules_of},
     {words("in_time", "", "whether in time: `in time`, `undecided`, `too late`; null without `--deadline`"),
      [](auto& one) {
        const predict::Job& job = one.machine->asked.request.costs.job;
        return one.job == nullptr || !(job.deadline_seconds > 0) ? dash_cell()
                                                                 : Cell(in_time_in_words(*one.job, job));
      }}}};

}  // namespace

ReportTable machine_answer_table(const MachineAnswers& answers) {
  ReportTable table = declared_machine_rows.empty();
  table.title = fmt::format(fmt::runtime(table.title), wanted_in_words(answers.job));
  for (const JobChoice& choice : answers.choices) {
    const std::vector<statistics::BreakEvenPoint>& places = choice.machine->along_batches.places;
    const double kilowatt_hours = joules_of(choice).centre / joules_a_kilowatt_hour;
    table.rows.push_back({choice.machine->asked.name,
                          choice.job == nullptr ? std::string(dash) : std::string(choice.word),
                          of_job(choice, [](auto& job) { return count_cell(job.configuration->what.gpus); }),
                          of_job(choice, [](auto& job) { return strategy_cell(job.configuration->what); }),
                          of_job(choice, [](auto& job) { return job.configuration->what.precision.word(); }),
                          of_job(choice, [](auto& job) { return basis_of(*job.configuration); }),
                          places.empty() ? std::string(dash) : break_evens_in_words(places, whole_number),
                          of_job(choice, [](auto& job) { return format_duration(job.seconds); }),
                          of_job(choice, [](auto& job) { return format_significant(job.gpu_hours, 3); }),
                          format_significant(money_of(choice)), format_significant(kilowatt_hours, 3),
                          of_job(choice, [&](auto& job) { return in_time_in_words(job, answers.job); })});
  }
  drop_column(answers.has_prices() ? "gpu_hours" : "cost", table);
  if (!answers.has_deadline()) drop_column("in_time", table);
  say_shared({"precision", "basis"}, table);
  return without_unknown_columns(std::move(table));
}

ReportTable tidy_machine_answers(const MachineAnswers& answers) {
  return declared_choices.of(answers.choices);
}

}  // namespace breakeven::report
