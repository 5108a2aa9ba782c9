// SPDX-License-Identifier: Apache-2.0
#include "src/report/machines/machine_report.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "src/core/failure.h"
#include "src/core/text/lists.h"
#include "src/report/advice/advice_tables.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/machines/side_by_side.h"
#include "src/report/sections/sections.h"
#include "src/report/warnings/warnings.h"
#include "src/report/words/settling_words.h"
#include "src/statistics/break_even.h"

namespace breakeven::report {
namespace {

std::string name_of(const JudgedCase& one) {
  return fmt::format("{} ({})", one.machine->name, name_of_configuration({.what = one.what()}));
}

// The two machines with the least of a quantity at the batch that all have, over transports that all have,
// and by which factor they differ.
struct Lead {
  JudgedCase first, next;
  std::set<std::string> transports;
  statistics::Interval ratio;
  bool is_sure() const { return ratio.low > 1; }
  SettledRuns runs_of(const JudgedCase& one) const {
    SettledRuns runs;
    runs.add(one.timed());
    return runs;
  }
  bool settled_differently() const { return runs_of(first).are_unsettled() != runs_of(next).are_unsettled(); }
};

std::optional<Lead> lead_of(const std::string& model, const SideBySide& all, const Quantity& quantity) {
  const auto batch = common_batch(model, all.machines);
  if (!batch) return std::nullopt;
  const std::set<std::string> transports = common_transports(model, *batch, all.machines);
  const Quantity of_alike = [&](const JudgedCase& one) {
    const bool is_alike = transports.empty() || one.what().gpus == 1 ||
                          transports.contains(word_of(Axis::transport, one.what()));
    return is_alike ? quantity(one) : statistics::Interval{};
  };
  std::vector<JudgedCase> found;
  for (const NamedMachine& machine : all.machines)
    if (const auto one = least_of(machine, model, batch, of_alike)) found.push_back(*one);
  if (found.size() < 2) return std::nullopt;
  std::ranges::sort(found, {}, [](const JudgedCase& one) { return one.quantity.centre; });
  return Lead{found[0], found[1], transports, statistics::quotient(found[1].quantity, found[0].quantity)};
}

std::string in_words(const Lead& lead, std::string_view word) {
  const Case& what = lead.first.what();
  // Over another transport, another machine may lead.
  const bool is_exchanged = std::max(what.gpus, lead.next.what().gpus) > 1 && !lead.transports.empty();
  const std::string at =
      fmt::format("{} at batch {}{}", what.model, format_count(what.batch),
                  is_exchanged ? fmt::format(" over {}", fmt::join(lead.transports, " or ")) : "");
  std::string text = fmt::format("{}: {} is {} times as {} as {}", at, name_of(lead.first),
                                 format_ratio(lead.ratio), word, name_of(lead.next));
  if (!lead.ratio.has_bounds())
    text += ", without an interval.";
  else
    text += lead.is_sure() ? " (95 % CI)." : " (95 % CI), which is undecided.";
  if (!lead.settled_differently()) return text;
  return fmt::format("{} The runs are not alike: {} {}, {} {}.", text, lead.first.machine->name,
                     in_words(lead.runs_of(lead.first)), lead.next.machine->name,
                     in_words(lead.runs_of(lead.next)));
}

// "NVIDIA H200 is surely fastest for 4 of 9 models, NVIDIA H100 for none; undecided for 5."
std::string counts_in_words(const std::vector<Lead>& leads, const SideBySide& all, std::string_view word) {
  std::vector<std::string> parts;
  for (const NamedMachine& machine : all.machines)
    parts.push_back(
        fmt::format("{} for {}", machine.name, std::ranges::count_if(leads, [&](const Lead& lead) {
                      return lead.is_sure() && lead.first.machine == &machine;
                    })));
  const auto undecided = std::ranges::count(leads, false, &Lead::is_sure);
  const auto differing = std::ranges::count(leads, true, &Lead::settled_differently);
  return fmt::format(
      "Of {} models at their largest common batch, the {} machine is {}; undecided for {}.{}", leads.size(),
      word, join_list(parts), undecided,
      differing == 0 ? "" : fmt::format(" For {} of them the runs of only one machine settled.", differing));
}

std::vector<std::string> headline_of(const SideBySide& all) {
  std::vector<std::string> sentences;
  struct Measure {
    std::string_view word, superlative;
    Quantity quantity;
  };
  for (const auto& [word, superlative, quantity] :
       {Measure{"fast", "fastest", seconds_a_sample}, Measure{"cheap", "cheapest", money_a_million}}) {
    std::vector<Lead> leads;
    for (const std::string& model : all.models)
      if (const auto lead = lead_of(model, all, quantity)) leads.push_back(*lead);
    if (leads.size() > most_verdict_lines) {
      sentences.push_back(counts_in_words(leads, all, superlative));
    } else {
      for (const Lead& lead : leads) sentences.push_back(in_words(lead, word));
    }
  }
  if (sentences.empty()) sentences.emplace_back("No model was measured at the same batch on two machines.");
  return sentences;
}

std::vector<std::string> warnings_of(const SideBySide& all) {
  std::vector<std::string> sentences = machine_differences(all.machines);
  const bool has_any =
      std::ranges::any_of(all.machines, [](const NamedMachine& one) { return !one.file->quality().empty(); });
  if (has_any && !all.has_one_quality())
    add_warning(
        symptom::quality,
        "The machines did not train until the same quality (--until), so no time to a quality is given.",
        sentences);
  for (const NamedMachine& machine : all.machines)
    for (const std::string& sentence : warnings(*machine.file))
      sentences.push_back(fmt::format("{}: {}", machine.name, sentence));
  return sentences;
}

const DeclaredTable declared_machines{
    {.command = "report",
     .page = "report.md#several-files",
     .format = "breakeven report by machine",
     .version = 2,
     .columns = {columns::format, columns::version,
                 datum("files", "", "results files").typed(JsonType::texts),
                 datum("headline", "", "the first lines of the report").typed(JsonType::texts),
                 datum("warnings", "", "what to read before trusting the numbers").typed(JsonType::texts),
                 columns::warning_pages, datum("machines", "", "the rows of the CSV, by model and machine"),
                 datum("to_quality", "", "of `--until`, by model and machine")}}};

Document document_of(const SideBySide& all) {
  Document document;
  document.heading(1, "breakeven report: " + join_list(paths_of(all.machines)));
  for (const std::string& sentence : headline_of(all)) document.item(sentence);
  document.table(side_by_side_table(all));
  if (!all.to_quality.empty()) document.table(side_by_side_quality_table(all));
  print_warnings(warnings_of(all), document);
  document.paragraph("For all sections of a machine, run breakeven report with its files alone.");
  return document;
}

nlohmann::ordered_json as_json(const SideBySide& all) {
  return {{"files", paths_of(all.machines)},
          {"headline", headline_of(all)},
          {"warnings", warnings_of(all)},
          {"warning_pages", pages_of_warnings(warnings_of(all))},
          {"machines", render_json(tidy_side_by_side(all))},
          {"to_quality", render_json(tidy_side_by_side_quality(all))}};
}

std::string no_common_model(const std::vector<NamedMachine>& machines) {
  std::vector<std::string> measured;
  for (const NamedMachine& machine : machines)
    measured.push_back(
        fmt::format("{} has {}", machine.name, join_list(common_models(std::vector{machine}))));
  std::string text = "no model was measured on every machine: " + measured.front();
  for (std::size_t i = 1; i < measured.size(); ++i) text += "; " + measured[i];
  return text + ". Measure the same model on each";
}

}  // namespace

std::string make_machine_report(const std::vector<NamedMachine>& machines, ReportFormat format,
                                const std::string& docs) {
  const SideBySide all(machines);
  if (all.models.empty()) throw Failure(ExitCode::file, no_common_model(machines));
  return print({.whole = declared_machines,
                .document = [&] { return document_of(all); },
                .rows = [&] { return tidy_side_by_side(all); },
                .json = [&] { return as_json(all); },
                .docs = docs},
               format);
}

}  // namespace breakeven::report
