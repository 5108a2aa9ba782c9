// SPDX-License-Identifier: Apache-2.0
#include "src/report/machines/machine_advice.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/failure.h"
#include "src/core/text/lists.h"
#include "src/report/advice/advice_tables.h"
#include "src/report/advice/no_prediction.h"
#include "src/report/format/columns.h"
#include "src/report/machines/machine_answers.h"
#include "src/report/warnings/warnings.h"

namespace breakeven::report {
namespace {

using predict::JobEstimate;

std::string named_in_words(const JobEstimate& job, const MachineAnswers& answers) {
  return fmt::format("{}, {} ({})", answers.machine_of(job).asked.name, in_words(job),
                     basis_of(*job.configuration));
}

// Where the costs of others that are as surely in time may be lower; else "".
std::string rivals_in_words(const MachineAnswers& answers) {
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

std::string answer_in_words(const MachineAnswers& answers) {
  if (answers.best == nullptr)
    return fmt::format("Not known: no start-up was measured of a configuration that could train {}.",
                       wanted_in_words(answers.job));
  const std::string wanted = wanted_in_words(answers.job);
  const std::string found = named_in_words(*answers.best, answers);
  if (!answers.has_deadline() || answers.best->in_time == predict::InTime::surely)
    return fmt::format("The cheapest machine that trains {} is {}.{}", wanted, found,
                       rivals_in_words(answers));
  if (answers.best->in_time == predict::InTime::perhaps)
    return fmt::format(
        "It is undecided whether any machine trains {}: no whole interval is in time. The "
        "cheapest that may is {}.",
        wanted, found);
  return fmt::format("No machine trains {}. The nearest is {}.", wanted, found);
}

// Behind the answer.
std::vector<std::string> remarks(const MachineAnswers& answers) {
  std::vector<std::string> sentences;
  const JobEstimate* fastest = predict::fastest_of(answers.all);
  if (fastest != nullptr && fastest->configuration != answers.best->configuration)
    sentences.push_back(fmt::format("The fastest is {}.", named_in_words(*fastest, answers)));
  if (!answers.has_prices())
    sentences.emplace_back(
        "Without --price, cheapest means the fewest GPU-hours, as if each cost the same. Pass a price for "
        "each "
        "machine.");
  return sentences;
}

std::vector<std::string> warnings_of(const MachineAnswers& answers) {
  std::vector<std::string> sentences = machine_differences(answers.named);
  for (const MachineAnswer& machine : answers.machines) {
    const predict::Query& query = machine.asked.request.query;
    const std::vector<std::string> own =
        machine.configs.empty()
            ? std::vector{why_no_prediction(*machine.asked.file, query) + "."}
            : advice_warnings(machine.advisor, *machine.asked.file, query, machine.configs.front());
    for (const std::string& sentence : own)
      sentences.push_back(fmt::format("{}: {}", machine.asked.name, sentence));
  }
  return sentences;
}

const DeclaredTable declared_machine_advice{
    {.command = "advise",
     .page = "advise.md#several-machines",
     .format = "breakeven advice by machine",
     .version = 1,
     .columns = {columns::format, columns::version,
                 datum("files", "", "results files").typed(JsonType::texts), columns::answer,
                 datum("warnings", "", "what to read before trusting the answer").typed(JsonType::texts),
                 datum("machines", "", "the rows of the CSV, by machine")}}};

Document document_of(const MachineAnswers& answers) {
  Document document;
  document.heading(1, "breakeven advise: " + join_list(paths_of(answers.named)));
  document.item(answer_in_words(answers));
  for (const std::string& sentence : remarks(answers)) document.item(sentence);
  document.table(machine_answer_table(answers));
  print_warnings(warnings_of(answers), document);
  document.paragraph("For all configurations of a machine, run breakeven advise with its files alone.");
  return document;
}

nlohmann::ordered_json as_json(const MachineAnswers& answers) {
  return {{"files", paths_of(answers.named)},
          {"answer", answer_in_words(answers)},
          {"warnings", warnings_of(answers)},
          {"machines", render_json(tidy_machine_answers(answers))}};
}

}  // namespace

std::string make_machine_advice(const std::vector<AskedMachine>& machines, ReportFormat format) {
  const MachineAnswers answers(machines);
  int most = 0;
  for (const MachineAnswer& machine : answers.machines) most = std::max(most, machine.advisor.most_gpus());
  const predict::Query& query = machines.front().request.query;
  if (query.most_gpus > most)
    throw Failure(ExitCode::usage, fmt::format("--gpus {} is more than the {} that were measured on any of "
                                               "these machines. For more, run breakeven predict for each",
                                               query.most_gpus, most));
  if (std::ranges::all_of(answers.machines, [](const MachineAnswer& one) { return one.configs.empty(); }))
    throw Failure(ExitCode::file, why_no_prediction(*machines.front().file, query));
  return print({.whole = declared_machine_advice,
                .document = [&] { return document_of(answers); },
                .rows = [&] { return tidy_machine_answers(answers); },
                .json = [&] { return as_json(answers); },
                .docs = machines.front().request.docs},
               format);
}

}  // namespace breakeven::report
