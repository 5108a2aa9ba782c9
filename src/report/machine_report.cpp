// SPDX-License-Identifier: Apache-2.0
#include "src/report/machine_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/failure.h"
#include "src/core/text/lists.h"
#include "src/report/advice_tables.h"
#include "src/report/break_evens.h"
#include "src/report/cells.h"
#include "src/report/columns.h"
#include "src/report/machine_cases.h"
#include "src/report/sections.h"
#include "src/report/tidy_row.h"
#include "src/report/verdicts.h"
#include "src/report/warnings.h"
#include "src/statistics/break_even.h"

namespace breakeven::report {
namespace {

// A case, and what it is the least of: "fastest", "cheapest".
struct Choice {
  std::string word;
  JudgedCase is;
};
using Choices = std::vector<Choice>;

// A row: whether more GPUs of a machine pay for a model, and at the batch that all machines have what is
// fastest and cheapest. Without a verdict where no case on more GPUs was compared.
struct ModelRow {
  const NamedMachine* machine = nullptr;
  std::string model;
  const Verdict* verdict = nullptr;
  std::optional<Choice> choice;
};

// One choice for each quantity; one for both where they are the same case.
Choices choices_of(const NamedMachine& machine, const std::string& model,
                   std::optional<std::uint32_t> batch, const Quantity& time, const Quantity& money) {
  Choices choices;
  if (const auto fastest = least_of(machine, model, batch, time)) choices.push_back({"fastest", *fastest});
  if (const auto cheapest = least_of(machine, model, batch, money)) {
    if (!choices.empty() && choices.front().is.result == cheapest->result)
      choices.front().word = "fastest, cheapest";
    else
      choices.push_back({"cheapest", *cheapest});
  }
  return choices;
}

struct SideBySide {
  explicit SideBySide(const std::vector<NamedMachine>& all) : machines(all), models(common_models(all)) {
    for (const NamedMachine& machine : machines) verdicts.push_back(verdicts_of(*machine.file));
    for (const std::string& model : models) {
      const auto batch = common_batch(model, machines);
      for (std::size_t i = 0; i < machines.size(); ++i) add_rows(i, model, batch);
    }
    if (!has_one_quality()) return;
    for (const std::string& model : models)
      for (const NamedMachine& machine : machines)
        for (Choice& one : choices_of(machine, model, {}, seconds_to_quality, money_to_quality))
          to_quality.push_back(std::move(one));
  }

  const std::string& quality() const { return machines.front().file->quality(); }
  bool has_one_quality() const {
    return !quality().empty() && std::ranges::all_of(machines, [&](const NamedMachine& one) {
      return one.file->quality() == quality();
    });
  }

  const std::vector<NamedMachine>& machines;
  std::vector<std::string> models;
  std::vector<std::vector<Verdict>> verdicts;  // of each machine
  std::vector<ModelRow> rows;
  Choices to_quality;  // of the models that reached it

 private:
  // The verdict of a choice is that of its settings and number of GPUs; of one GPU the first of its settings.
  const Verdict* verdict_of(std::size_t machine, const JudgedCase& one) const {
    const Verdict* found = nullptr;
    for (const Verdict& verdict : verdicts[machine]) {
      const auto is_same = [&](const analysis::CaseResult& result) { return &result == one.result; };
      if (!std::ranges::any_of(verdict.group->cases, is_same)) continue;
      if (verdict.curve.gpus == one.what().gpus) return &verdict;
      if (found == nullptr) found = &verdict;
    }
    return found;
  }

  void add_rows(std::size_t i, const std::string& model, std::optional<std::uint32_t> batch) {
    const NamedMachine& machine = machines[i];
    if (!batch) {
      for (const Verdict& verdict : verdicts[i])
        if (verdict.group->key->model == model) rows.push_back({&machine, model, &verdict, {}});
      return;
    }
    for (Choice& one : choices_of(machine, model, batch, seconds_a_sample, money_a_million)) {
      const Verdict* verdict = verdict_of(i, one.is);
      rows.push_back({&machine, model, verdict, std::move(one)});
    }
  }
};

std::string name_of(const JudgedCase& one) {
  return fmt::format("{} ({})", one.machine->name, name_of_way({.what = one.what()}));
}

// The two machines with the least of a quantity at the batch that all have, and by which factor they differ.
struct Lead {
  JudgedCase first, next;
  statistics::Interval ratio;
  bool is_sure() const { return ratio.low > 1; }
};

std::optional<Lead> lead_of(const std::string& model, const SideBySide& all, const Quantity& quantity) {
  const auto batch = common_batch(model, all.machines);
  std::vector<JudgedCase> found;
  for (const NamedMachine& machine : all.machines)
    if (const auto one = batch ? least_of(machine, model, batch, quantity) : std::nullopt)
      found.push_back(*one);
  if (found.size() < 2) return std::nullopt;
  std::ranges::sort(found, {}, [](const JudgedCase& one) { return one.quantity.centre; });
  return Lead{found[0], found[1], statistics::quotient(found[1].quantity, found[0].quantity)};
}

std::string in_words(const Lead& lead, std::string_view word) {
  const Case& what = lead.first.what();
  const std::string at = fmt::format("{} at batch {}", what.model, format_count(what.batch));
  const std::string text =
      fmt::format("{}: {} is {} times as {} as {}", at, name_of(lead.first), format_ratio(lead.ratio), word,
                  name_of(lead.next));
  if (!lead.ratio.has_bounds()) return text + ", without an interval.";
  return text + (lead.is_sure() ? " (95 % CI)." : " (95 % CI), which is undecided.");
}

// "NVIDIA H200 is surely fastest for 4 of 9 models, NVIDIA H100 for none; undecided for 5."
std::string counts_in_words(const std::vector<Lead>& leads, const SideBySide& all, std::string_view word) {
  std::vector<std::string> parts;
  for (const NamedMachine& machine : all.machines)
    parts.push_back(fmt::format("{} for {}", machine.name, std::ranges::count_if(leads, [&](const Lead& lead) {
                                  return lead.is_sure() && lead.first.machine == &machine;
                                })));
  const auto undecided = std::ranges::count(leads, false, &Lead::is_sure);
  return fmt::format("Of {} models at their largest common batch, the {} machine is {}; undecided for {}.",
                     leads.size(), word, join_list(parts), undecided);
}

std::vector<std::string> headline_of(const SideBySide& all) {
  std::vector<std::string> sentences;
  struct Measure {
    std::string_view word, superlative;
    Quantity quantity;
  };
  for (const auto& [word, superlative, quantity] : {Measure{"fast", "fastest", seconds_a_sample},
                                                    Measure{"cheap", "cheapest", money_a_million}}) {
    std::vector<Lead> leads;
    for (const std::string& model : all.models)
      if (auto lead = lead_of(model, all, quantity)) leads.push_back(std::move(*lead));
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
  const bool has_any = std::ranges::any_of(
      all.machines, [](const NamedMachine& one) { return !one.file->quality().empty(); });
  if (has_any && !all.has_one_quality())
    add_warning(symptom::quality,
                "The machines did not train until the same quality (--until), so no time to a quality is given.",
                sentences);
  for (const NamedMachine& machine : all.machines)
    for (const std::string& sentence : warnings(*machine.file))
      sentences.push_back(fmt::format("{}: {}", machine.name, sentence));
  return sentences;
}

std::string verdict_in_words(const ModelRow& row) {
  return row.verdict == nullptr ? "not compared" : break_evens_in_words(row.verdict->curve.points, whole_number);
}

statistics::Interval seconds_of_step(const JudgedCase& one) { return one.timed().step.seconds(); }

template <typename Get>
Cell of_choice(const ModelRow& row, Get get) {
  return row.choice ? Cell(get(row.choice->is)) : dash_cell();
}

const DeclaredTable declared_side_by_side{
    {.command = "report",
     .title = "Machines side by side, at the largest batch that all measured; 95 % intervals",
     .page = "report.md#several-files",
     .columns = {columns::model, words("machine", "Machine", "its devices"),
                 words("sentence", "More GPUs are", "faster or slower than one, along the batch"),
                 columns::batch, words("choice", "It is", "fastest or cheapest of the machine"), columns::gpus,
                 columns::strategy, columns::precision.elsewhere(), columns::samples_per_second,
                 number("cost_per_million_samples", "Money of\na million", "money",
                        "GPU time times the machine's `--price`")
                     .elsewhere()}}};

ReportTable side_by_side_table(const SideBySide& all) {
  ReportTable table = declared_side_by_side.empty();
  bool has_money = false;
  for (const ModelRow& row : all.rows) {
    has_money |= row.machine->file->price_an_hour() > 0;
    table.rows.push_back(
        {row.model, row.machine->name, verdict_in_words(row),
         of_choice(row, [](auto& one) { return batch_cell(one.what()); }),
         row.choice ? Cell(row.choice->word) : dash_cell(),
         of_choice(row, [](auto& one) { return axis_cell(Axis::gpus, one.what()); }),
         of_choice(row, [](auto& one) { return strategy_cell(one.what()); }),
         of_choice(row, [](auto& one) { return one.what().precision.word(); }),
         of_choice(row,
                   [](auto& one) {
                     return format_rate(one.timed().step.samples_per_second, seconds_of_step(one));
                   }),
         of_choice(row, [](auto& one) { return format_significant(money_a_million(one).centre, 3); })});
  }
  if (!has_money) drop_column("cost_per_million_samples", table);
  say_shared({"precision"}, table);
  return table;
}

template <typename Get>
Cell tidy_of_choice(const ModelRow& row, Get get) {
  return row.choice ? Cell(get(row.choice->is)) : empty_cell();
}

const TidyTable<ModelRow> declared_rows{
    {.command = "report", .json = "machines", .page = "report.md#several-files"},
    {{columns::model, [](auto& row) { return row.model; }},
     {words("machine", "", "its devices"), [](auto& row) { return row.machine->name; }},
     {columns::file.meant("its results files"), [](auto& row) { return row.machine->file->results().path; }},
     {datum("price_an_hour", "money", "`--price`"),
      [](auto& row) {
        const double price = row.machine->file->price_an_hour();
        return price > 0 ? price : not_measured;
      }},
     {datum("break_even_batch", "samples",
            "where the fastest on more GPUs has a speed-up of 1, and its 95 % band"),
      [](auto& row) {
        return row.verdict == nullptr ? statistics::Interval{} : last_break_even(row.verdict->curve.points);
      }},
     {columns::sentence, verdict_in_words},
     {columns::batch,
      [](auto& row) { return tidy_of_choice(row, [](auto& one) { return batch_cell(one.what()); }); }},
     {words("choice", "", "`fastest`, `cheapest` or both of the machine at this batch"),
      [](auto& row) { return row.choice ? Cell(row.choice->word) : empty_cell(); }},
     {columns::gpus,
      [](auto& row) {
        return tidy_of_choice(row, [](auto& one) { return axis_cell(Axis::gpus, one.what()); });
      }},
     {columns::strategy,
      [](auto& row) { return tidy_of_choice(row, [](auto& one) { return one.what().strategy.word(); }); }},
     {columns::precision,
      [](auto& row) { return tidy_of_choice(row, [](auto& one) { return one.what().precision.word(); }); }},
     {columns::verdict.meant("of this case over one GPU of its machine"),
      [](auto& row) {
        return tidy_of_choice(row, [](auto& one) {
          return std::string(verdict_word(one.what(), one.result->comparison.decision));
        });
      }},
     {columns::speedup,
      [](auto& row) {
        return row.choice && row.choice->is.what().gpus > 1 ? row.choice->is.result->comparison.speedup.ratio
                                                            : statistics::Interval{};
      }},
     {columns::step_seconds,
      [](auto& row) { return row.choice ? seconds_of_step(row.choice->is) : statistics::Interval{}; }},
     {columns::samples_per_second,
      [](auto& row) {
        return row.choice ? row.choice->is.timed().step.samples_per_second : not_measured;
      }},
     {columns::cost_per_million_samples.meant("GPU time times the machine's `--price`"),
      [](auto& row) { return row.choice ? money_a_million(row.choice->is) : statistics::Interval{}; }}}};

const DeclaredTable declared_quality{
    {.command = "report",
     .title = "Machines side by side: training until {}, at any batch; 95 % intervals",
     .page = "report.md#several-files",
     .columns = {columns::model, words("machine", "Machine", "its devices"),
                 words("choice", "It is", "fastest or cheapest of the machine"), columns::batch, columns::gpus,
                 columns::strategy, columns::precision.elsewhere(), columns::seconds_to_quality,
                 number("cost_to_quality", "Money", "money", "GPU time until then times the machine's `--price`")
                     .left()
                     .elsewhere(),
                 number("joules_to_quality", "Energy, J", "J", "of all GPUs until then").left()}}};

ReportTable quality_table(const SideBySide& all) {
  ReportTable table = declared_quality.empty();
  table.title = fmt::format(fmt::runtime(table.title), all.quality());
  bool has_money = false;
  for (const auto& [word, one] : all.to_quality) {
    has_money |= one.machine->file->price_an_hour() > 0;
    table.rows.push_back({one.what().model.word(), one.machine->name, word, batch_cell(one.what()),
                          axis_cell(Axis::gpus, one.what()), strategy_cell(one.what()),
                          one.what().precision.word(), format_seconds(seconds_to_quality(one)),
                          format_significant(money_to_quality(one)),
                          format_significant(joules_to_quality(one))});
  }
  if (!has_money) drop_column("cost_to_quality", table);
  say_shared({"precision"}, table);
  return table;
}

const TidyTable<Choice> declared_quality_rows{
    {.command = "report", .json = "to_quality", .page = "report.md#several-files"},
    {{columns::model, [](auto& row) { return std::string(row.is.what().model); }},
     {words("machine", "", "its devices"), [](auto& row) { return row.is.machine->name; }},
     {words("choice", "", "`fastest`, `cheapest` or both of the machine until then"),
      [](auto& row) { return row.word; }},
     {datum("quality", "", "what `--until` asked for"), [](auto& row) { return row.is.machine->file->quality(); }},
     {columns::batch, [](auto& row) { return row.is.what().batch; }},
     {columns::gpus, [](auto& row) { return row.is.what().gpus; }},
     {columns::strategy, [](auto& row) { return row.is.what().strategy.word(); }},
     {columns::precision, [](auto& row) { return std::string(row.is.what().precision.word()); }},
     {columns::seconds_to_quality, [](auto& row) { return seconds_to_quality(row.is); }},
     {datum("cost_to_quality", "money", "GPU time until then times the machine's `--price`"),
      [](auto& row) { return money_to_quality(row.is); }},
     {datum("joules_to_quality", "J", "of all GPUs until then"),
      [](auto& row) { return joules_to_quality(row.is); }}}};

const DeclaredTable declared_whole{
    {.command = "report",
     .page = "report.md#several-files",
     .format = "breakeven report by machine",
     .version = machine_report_version,
     .columns = {columns::format, columns::version,
                 datum("files", "", "results files").typed(JsonType::texts),
                 datum("headline", "", "the first lines of the report").typed(JsonType::texts),
                 datum("warnings", "", "what to read before trusting the numbers").typed(JsonType::texts),
                 datum("machines", "", "the rows of the CSV, by model and machine"),
                 datum("to_quality", "", "of `--until`, by model and machine")}}};

Document document_of(const SideBySide& all) {
  Document document;
  document.heading(1, "breakeven report: " + join_list(paths_of(all.machines)));
  for (const std::string& sentence : headline_of(all)) document.item(sentence);
  document.table(side_by_side_table(all));
  if (!all.to_quality.empty()) document.table(quality_table(all));
  const std::vector<std::string> sentences = warnings_of(all);
  if (!sentences.empty()) document.heading(2, warnings_heading);
  for (const std::string& sentence : sentences) document.item(sentence);
  document.paragraph("For all sections of a machine, run breakeven report with its files alone.");
  return document;
}

nlohmann::ordered_json as_json(const SideBySide& all) {
  return {{"files", paths_of(all.machines)},
          {"headline", headline_of(all)},
          {"warnings", warnings_of(all)},
          {"machines", render_json(declared_rows.of(all.rows))},
          {"to_quality", render_json(declared_quality_rows.of(all.to_quality))}};
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

std::string make_machine_report(const std::vector<NamedMachine>& machines, ReportFormat format) {
  const SideBySide all(machines);
  if (all.models.empty()) throw Failure(ExitCode::file, no_common_model(machines));
  return print({.whole = declared_whole,
                .document = [&] { return document_of(all); },
                .rows = [&] { return declared_rows.of(all.rows); },
                .json = [&] { return as_json(all); }},
               format);
}

}  // namespace breakeven::report
