// SPDX-License-Identifier: Apache-2.0
#include "src/report/machine_advice.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/failure.h"
#include "src/core/text/lists.h"
#include "src/report/advice_break_evens.h"
#include "src/report/advice_deadline.h"
#include "src/report/advice_tables.h"
#include "src/report/advice_warnings.h"
#include "src/report/cells.h"
#include "src/report/columns.h"
#include "src/report/no_prediction.h"
#include "src/report/tidy_row.h"
#include "src/report/warnings.h"

namespace breakeven::report {
namespace {

using predict::JobEstimate;

struct MachineAnswer {
  explicit MachineAnswer(const AskedMachine& asked)
      : asked(asked),
        advisor(*asked.file),
        ways(advisor.configurations(asked.request.query)),
        jobs(predict::estimate_jobs(ways, asked.request.costs.job, advisor)) {
    if (ways.empty()) return;
    const predict::Configuration* more = predict::fastest_shared(ways);
    const predict::Configuration* one =
        more == nullptr ? nullptr : predict::fastest_single(ways, more->what.precision);
    for (Turning& turning : look_around(advisor, *asked.file, asked.request.query, one))
      if (turning.key == "batch" && !turning.plan) along_batches = std::move(turning);
  }

  const AskedMachine& asked;
  predict::Advisor advisor;
  std::vector<predict::Configuration> ways;
  std::vector<JobEstimate> jobs;
  Turning along_batches{};  // of the fastest; without places where nothing is known
};

// A row: a configuration of a machine, and why it is named. Without a job where nothing is known.
struct Choice {
  const MachineAnswer* machine = nullptr;
  std::string_view word = "";
  const JobEstimate* job = nullptr;
};

struct Answers {
  explicit Answers(const std::vector<AskedMachine>& asked) : asked(asked), job(asked.front().request.costs.job) {
    for (const AskedMachine& one : asked) {
      machines.emplace_back(one);
      named.push_back(one);
    }
    for (const MachineAnswer& machine : machines) {
      all.insert(all.end(), machine.jobs.begin(), machine.jobs.end());
      add_choices(machine);
    }
    best = has_deadline() ? predict::best_in_time(all) : predict::cheapest_of(all);
  }

  bool has_deadline() const { return job.deadline_seconds > 0; }
  bool has_prices() const { return job.cost.a_gpu > 0; }

  const MachineAnswer& machine_of(const JobEstimate& one) const {
    return *std::ranges::find_if(machines, [&](const MachineAnswer& machine) {
      return std::ranges::find(machine.jobs, one.configuration, &JobEstimate::configuration) !=
             machine.jobs.end();
    });
  }

  const std::vector<AskedMachine>& asked;
  const predict::Job& job;            // of the first machine: its price is no other's
  std::deque<MachineAnswer> machines;  // they stay where they are
  std::vector<NamedMachine> named;
  std::vector<JobEstimate> all;
  std::vector<Choice> choices;
  const JobEstimate* best = nullptr;

 private:
  void add_choices(const MachineAnswer& machine) {
    const JobEstimate* fastest = predict::fastest_of(machine.jobs);
    const JobEstimate* cheapest =
        has_deadline() ? predict::best_in_time(machine.jobs) : predict::cheapest_of(machine.jobs);
    if (cheapest == fastest) {
      const bool is_late = fastest != nullptr && has_deadline() && fastest->in_time == predict::InTime::no;
      choices.push_back({&machine, fastest == nullptr ? "" : is_late ? "fastest" : "fastest, cheapest", fastest});
      return;
    }
    choices.push_back({&machine, "fastest", fastest});
    choices.push_back({&machine, "cheapest", cheapest});
  }
};

std::string named_in_words(const JobEstimate& job, const Answers& answers) {
  return fmt::format("{}, {} ({})", answers.machine_of(job).asked.name, in_words(job),
                     basis_of(*job.configuration));
}

// Where the costs of others that are as surely in time may be lower; else "".
std::string rivals_in_words(const Answers& answers) {
  std::vector<std::string> names;
  const MachineAnswer& own = answers.machine_of(*answers.best);
  const double most = predict::price_of(*answers.best).high;
  for (const MachineAnswer& machine : answers.machines) {
    const bool is_rival = std::ranges::any_of(machine.jobs, [&](const JobEstimate& job) {
      const bool is_taken = !answers.has_deadline() || job.in_time == answers.best->in_time;
      return is_taken && !(predict::price_of(job).low > most);
    });
    if (&machine != &own && is_rival) names.push_back(machine.asked.name);
  }
  if (names.empty()) return "";
  return fmt::format(" As far as the 95 % intervals tell, {} may be as cheap.", join_list(names));
}

std::string answer_in_words(const Answers& answers) {
  if (answers.best == nullptr)
    return fmt::format("Not known: no start-up was measured of a configuration that could train {}.",
                       wanted_in_words(answers.job));
  const std::string wanted = wanted_in_words(answers.job);
  const std::string found = named_in_words(*answers.best, answers);
  if (!answers.has_deadline() || answers.best->in_time == predict::InTime::surely)
    return fmt::format("The cheapest machine that trains {} is {}.{}", wanted, found,
                       rivals_in_words(answers));
  if (answers.best->in_time == predict::InTime::perhaps)
    return fmt::format("It is undecided whether any machine trains {}: no whole interval is in time. The "
                       "cheapest that may is {}.",
                       wanted, found);
  return fmt::format("No machine trains {}. The nearest is {}.", wanted, found);
}

// Behind the answer.
std::vector<std::string> remarks(const Answers& answers) {
  std::vector<std::string> sentences;
  const JobEstimate* fastest = predict::fastest_of(answers.all);
  if (fastest != nullptr && fastest->configuration != answers.best->configuration)
    sentences.push_back(fmt::format("The fastest is {}.", named_in_words(*fastest, answers)));
  if (!answers.has_prices())
    sentences.emplace_back(
        "Without --price, cheapest means the fewest GPU-hours, as if each cost the same. Pass a price for each "
        "machine.");
  return sentences;
}

std::vector<std::string> warnings_of(const Answers& answers) {
  std::vector<std::string> sentences = machine_differences(answers.named);
  for (const MachineAnswer& machine : answers.machines) {
    const predict::Query& query = machine.asked.request.query;
    const std::vector<std::string> own =
        machine.ways.empty()
            ? std::vector{why_no_prediction(machine.asked.file->results(), query) + "."}
            : advice_warnings(machine.advisor, *machine.asked.file, query, machine.ways.front());
    for (const std::string& sentence : own)
      sentences.push_back(fmt::format("{}: {}", machine.asked.name, sentence));
  }
  return sentences;
}

statistics::Interval joules_of(const Choice& choice) {
  if (choice.job == nullptr) return {};
  return statistics::times(
      predict::energy_of(*choice.job->configuration, choice.machine->advisor).joules_a_sample,
      choice.machine->asked.request.costs.job.samples);
}

// Money, or without prices nothing.
statistics::Interval money_of(const Choice& choice) {
  if (choice.job == nullptr || std::isnan(choice.job->cost)) return {};
  return predict::price_of(*choice.job);
}

statistics::Interval break_even_of(const MachineAnswer& machine) {
  return last_break_even(machine.along_batches.places);
}

const Case& what_of(const Choice& choice) { return choice.job->configuration->what; }

template <typename Get>
Cell of_job(const Choice& choice, Get get) {
  return choice.job == nullptr ? dash_cell() : Cell(get(*choice.job));
}

const DeclaredTable declared_side_by_side{
    {.command = "advise",
     .title = "Machines side by side: {}; 95 % intervals",
     .page = "advise.md#several-machines",
     .columns = {words("machine", "Machine", "its devices"),
                 words("choice", "It is", "fastest or cheapest of the machine; with a deadline, in time if any is"),
                 columns::gpus, columns::strategy, columns::precision.elsewhere(), columns::basis.elsewhere(),
                 words("break_even", "More GPUs are", "faster or slower than one, along the batch"),
                 number("job_seconds", "Whole job", "s", "start and all samples").left(),
                 number("gpu_hours", "GPU-hours", "h", "GPUs times the job").elsewhere(),
                 number("cost", "Cost", "money", "GPU-hours times the machine's `--price`, and `--hour-value`")
                     .left()
                     .elsewhere(),
                 number("joules", "Energy,\nkWh", "J", "of all GPUs, for all samples"),
                 words("in_time", "Deadline", "whether in time: surely, surely not, undecided").elsewhere()}}};

constexpr double joules_a_kilowatt_hour = 3.6e6;

ReportTable side_by_side_table(const Answers& answers) {
  ReportTable table = declared_side_by_side.empty();
  table.title = fmt::format(fmt::runtime(table.title), wanted_in_words(answers.job));
  for (const Choice& choice : answers.choices) {
    const std::vector<statistics::BreakEvenPoint>& places = choice.machine->along_batches.places;
    const double kilowatt_hours = joules_of(choice).centre / joules_a_kilowatt_hour;
    table.rows.push_back(
        {choice.machine->asked.name, choice.job == nullptr ? std::string(dash) : std::string(choice.word),
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
  return table;
}

template <typename Get>
Cell tidy_of_job(const Choice& choice, Get get) {
  return choice.job == nullptr ? empty_cell() : Cell(get(*choice.job));
}

const TidyTable<Choice> declared_rows{
    {.command = "advise", .json = "machines", .page = "advise.md#several-machines"},
    {{words("machine", "", "its devices"), [](auto& one) { return one.machine->asked.name; }},
     {columns::file.meant("its results files"),
      [](auto& one) { return one.machine->asked.file->results().path; }},
     {words("choice", "", "`fastest`, `cheapest` or both of the machine"),
      [](auto& one) { return one.job == nullptr ? empty_cell() : Cell(one.word); }},
     {datum("price_an_hour", "money", "`--price`"),
      [](auto& one) {
        const double price = one.machine->asked.request.costs.job.cost.a_gpu;
        return price > 0 ? price : not_measured;
      }},
     {columns::gpus, [](auto& one) { return tidy_of_job(one, [&](auto&) { return axis_cell(Axis::gpus, what_of(one)); }); }},
     {columns::strategy, [](auto& one) { return tidy_of_job(one, [&](auto&) { return what_of(one).strategy.word(); }); }},
     {columns::precision, [](auto& one) { return tidy_of_job(one, [&](auto&) { return what_of(one).precision.word(); }); }},
     {columns::basis, [](auto& one) { return tidy_of_job(one, [](auto& job) { return basis_of(*job.configuration); }); }},
     {datum("break_even_batch", "samples", "where the fastest on more GPUs has a speed-up of 1, and its 95 % band"),
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
        return one.job == nullptr || !(job.deadline_seconds > 0) ? empty_cell()
                                                                  : Cell(in_time_in_words(*one.job, job));
      }}}};

const DeclaredTable declared_whole{
    {.command = "advise",
     .page = "advise.md#several-machines",
     .format = "breakeven advice by machine",
     .version = machine_advice_version,
     .columns = {columns::format, columns::version,
                 datum("files", "", "results files").typed(JsonType::texts), columns::answer,
                 datum("warnings", "", "what to read before trusting the answer").typed(JsonType::texts),
                 datum("machines", "", "the rows of the CSV, by machine")}}};

Document document_of(const Answers& answers) {
  Document document;
  document.heading(1, "breakeven advise: " + join_list(paths_of(answers.named)));
  document.item(answer_in_words(answers));
  for (const std::string& sentence : remarks(answers)) document.item(sentence);
  document.table(side_by_side_table(answers));
  const std::vector<std::string> sentences = warnings_of(answers);
  if (!sentences.empty()) document.heading(2, warnings_heading);
  for (const std::string& sentence : sentences) document.item(sentence);
  document.paragraph("For all configurations of a machine, run breakeven advise with its files alone.");
  return document;
}

nlohmann::ordered_json as_json(const Answers& answers) {
  return {{"files", paths_of(answers.named)},
          {"answer", answer_in_words(answers)},
          {"warnings", warnings_of(answers)},
          {"machines", render_json(declared_rows.of(answers.choices))}};
}

}  // namespace

std::string make_machine_advice(const std::vector<AskedMachine>& machines, ReportFormat format) {
  const Answers answers(machines);
  int most = 0;
  for (const MachineAnswer& machine : answers.machines) most = std::max(most, machine.advisor.most_gpus());
  const predict::Query& query = machines.front().request.query;
  if (query.most_gpus > most)
    throw Failure(ExitCode::usage, fmt::format("--gpus {} is more than the {} that were measured on any of "
                                               "these machines. For more, run breakeven predict for each",
                                               query.most_gpus, most));
  if (std::ranges::all_of(answers.machines, [](const MachineAnswer& one) { return one.ways.empty(); }))
    throw Failure(ExitCode::file, why_no_prediction(machines.front().file->results(), query));
  return print({.whole = declared_whole,
                .document = [&] { return document_of(answers); },
                .rows = [&] { return declared_rows.of(answers.choices); },
                .json = [&] { return as_json(answers); }},
               format);
}

}  // namespace breakeven::report
