// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "src/report/advice/advice_tables.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/machines/side_by_side.h"
#include "src/report/sections/break_evens.h"
#include "src/report/sections/group_words.h"
#include "src/report/tidy/tidy_row.h"

namespace breakeven::report {
namespace {

std::string verdict_of_row(const ModelRow& row) {
  return row.verdict == nullptr ? "not compared"
                                : break_evens_in_words(row.verdict->curve.points, whole_number);
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
     .columns = {
         columns::model, words("machine", "Machine", "its devices"),
         words("sentence", "More GPUs are", "faster or slower than one, along the batch"), columns::batch,
         words("choice", "It is", "fastest or cheapest of the machine"), columns::gpus, columns::strategy,
         columns::precision.elsewhere(), columns::samples_per_second,
         number("cost_per_million_samples", "Money", "money", "GPU time times the machine's `--price`")
             .elsewhere()}}};

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
            "where the fastest on more GPUs has a speed-up of 1, and its 95 % interval"),
      [](auto& row) {
        return row.verdict == nullptr ? statistics::Interval{} : last_break_even(row.verdict->curve.points);
      }},
     {columns::sentence, verdict_of_row},
     {columns::batch,
      [](auto& row) { return of_choice(row, [](auto& one) { return batch_cell(one.what()); }); }},
     {words("choice", "", "`fastest`, `cheapest` or both of the machine at this batch"),
      [](auto& row) { return row.choice ? Cell(row.choice->word) : dash_cell(); }},
     {columns::gpus,
      [](auto& row) { return of_choice(row, [](auto& one) { return axis_cell(Axis::gpus, one.what()); }); }},
     {columns::strategy,
      [](auto& row) { return of_choice(row, [](auto& one) { return one.what().strategy.word(); }); }},
     {columns::precision,
      [](auto& row) { return of_choice(row, [](auto& one) { return one.what().precision.word(); }); }},
     {columns::verdict.meant("of this case over one GPU of its machine"),
      [](auto& row) {
        return of_choice(row, [](auto& one) {
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
      [](auto& row) { return row.choice ? row.choice->is.timed().step.samples_per_second : not_measured; }},
     {columns::cost_per_million_samples.meant("GPU time times the machine's `--price`"),
      [](auto& row) { return row.choice ? money_a_million(row.choice->is) : statistics::Interval{}; }}}};

const DeclaredTable declared_quality{
    {.command = "report",
     .title = "Machines side by side: training until {}, at any batch; 95 % intervals",
     .page = "report.md#several-files",
     .columns = {
         columns::model, words("machine", "Machine", "its devices"),
         words("choice", "It is", "fastest or cheapest of the machine"), columns::batch, columns::gpus,
         columns::strategy, columns::precision.elsewhere(), columns::seconds_to_quality,
         number("cost_to_quality", "Money", "money", "GPU time until then times the machine's `--price`")
             .left()
             .elsewhere(),
         number("joules_to_quality", "Energy, J", "J", "of all GPUs until then").left()}}};

const TidyTable<JudgedChoice> declared_quality_rows{
    {.command = "report", .json = "to_quality", .page = "report.md#several-files"},
    {{columns::model, [](auto& row) { return std::string(row.is.what().model); }},
     {words("machine", "", "its devices"), [](auto& row) { return row.is.machine->name; }},
     {words("choice", "", "`fastest`, `cheapest` or both of the machine until then"),
      [](auto& row) { return row.word; }},
     {datum("quality", "", "what `--until` asked for"),
      [](auto& row) { return row.is.machine->file->quality(); }},
     {columns::batch, [](auto& row) { return row.is.what().batch; }},
     {columns::gpus, [](auto& row) { return row.is.what().gpus; }},
     {columns::strategy, [](auto& row) { return row.is.what().strategy.word(); }},
     {columns::precision, [](auto& row) { return std::string(row.is.what().precision.word()); }},
     {columns::seconds_to_quality, [](auto& row) { return seconds_to_quality(row.is); }},
     {datum("cost_to_quality", "money", "GPU time until then times the machine's `--price`"),
      [](auto& row) { return money_to_quality(row.is); }},
     {datum("joules_to_quality", "J", "of all GPUs until then"),
      [](auto& row) { return joules_to_quality(row.is); }}}};

}  // namespace

ReportTable side_by_side_table(const SideBySide& all) {
  ReportTable table = declared_side_by_side.empty();
  bool has_money = false;
  double least = not_measured;
  for (const ModelRow& row : all.rows)
    if (row.choice) least = std::fmin(least, money_a_million(row.choice->is).centre);
  const SampleCount priced = samples_priced(least);
  for (const ModelRow& row : all.rows) {
    has_money |= row.machine->file->price_an_hour() > 0;
    table.rows.push_back({row.model, row.machine->name, verdict_of_row(row),
                          of_choice(row, [](auto& one) { return batch_cell(one.what()); }),
                          row.choice ? Cell(row.choice->word) : dash_cell(),
                          of_choice(row, [](auto& one) { return axis_cell(Axis::gpus, one.what()); }),
                          of_choice(row, [](auto& one) { return strategy_cell(one.what()).text; }),
                          of_choice(row, [](auto& one) { return one.what().precision.word(); }),
                          of_choice(row,
                                    [](auto& one) {
                                      return format_rate(one.timed().step.samples_per_second,
                                                         seconds_of_step(one));
                                    }),
                          of_choice(row, [&](auto& one) {
                            return format_significant(priced.millions * money_a_million(one).centre, 3);
                          })});
  }
  if (has_money)
    table.title += fmt::format(". Money is of a {} samples", priced.name);
  else
    drop_column("cost_per_million_samples", table);
  say_shared({"precision"}, table);
  return table;
}

ReportTable side_by_side_quality_table(const SideBySide& all) {
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

ReportTable tidy_side_by_side(const SideBySide& all) { return declared_rows.of(all.rows); }
ReportTable tidy_side_by_side_quality(const SideBySide& all) {
  return declared_quality_rows.of(all.to_quality);
}

}  // namespace breakeven::report
