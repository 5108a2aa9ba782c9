// SPDX-License-Identifier: Apache-2.0
// The report in reading order: answers first, then the tables that they rest on, then how far to trust them.
#include "src/report/report.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/report/document.h"
#include "src/report/json_report.h"
#include "src/report/sections.h"

namespace breakeven {
namespace {

void add_items(const std::vector<std::string>& sentences, Document& document) {
  for (const std::string& sentence : sentences) document.item(sentence);
}

void add_answers(const std::vector<Answer>& answers, Document& document) {
  if (answers.empty())
    document.paragraph("This file holds no case on more than one GPU, so that nothing is answered.");
  for (const Answer& answer : answers) document.item(answer.sentence);
}

// The table says of all ways from where on they pay; sentences, too, of as many as one reads.
void add_answers_and_break_evens(const Analysis& analysis, Document& document) {
  constexpr std::size_t most_sentences = 8;
  const std::vector<Answer> answers = answer_all(analysis);
  if (answers.size() <= most_sentences) add_answers(answers, document);
  document.table(break_even_table(analysis));
}

bool has_phases(const Group& group) {
  return std::any_of(group.cases.begin(), group.cases.end(), [](const MeasuredCase* measured) {
    return measured->phases != nullptr && !measured->phases->done.empty();
  });
}

void add_limits(const Analysis& analysis, const Group& group, Document& document) {
  ReportTable table = limits_table(analysis, group);
  if (table.rows.empty() && has_phases(group)) {
    document.paragraph(
        "Limits: not measured. The file holds no ceilings of its machine for these cases; a launch of this "
        "program records them.");
  }
  document.table(std::move(table));
}

bool exchanges(const Group& group) {
  return std::any_of(group.lines.begin(), group.lines.end(), [](const Line& line) {
    const CaseSummary* phases = line.measured->phases;
    return phases != nullptr && phases->readings.exchange_calls > 0;
  });
}

void add_exchange(const Analysis& analysis, const Group& group, Document& document) {
  ReportTable table = exchange_table(analysis, group);
  if (table.rows.empty() && exchanges(group)) {
    document.paragraph(
        "Exchange beside its formula: not measured. The file does not say what single calls take on its "
        "machine; a launch of this program records it.");
  }
  document.table(std::move(table));
  document.table(bubble_table(analysis, group));
}

void add_loss_budget(const Analysis& analysis, const Group& group, Document& document) {
  document.table(loss_budget_table(analysis, group));
  document.table(loss_share_table(analysis, group));
  for (const std::string& note : loss_budget_notes(analysis, group)) document.paragraph(note);
  document.table(stragglers_table(group));
  for (const std::string& note : straggler_notes(analysis, group)) document.paragraph(note);
}

void add_group(const Analysis& analysis, const Group& group, Document& document) {
  document.heading(2, analysis.title_of(group));
  document.paragraph(settings_of(group));
  document.table(speed_table(group));
  document.table(bounds_table(analysis, group));
  document.table(fastest_table(group));
  document.table(step_table(group));
  document.table(machinery_table(group));
  document.table(time_to_quality_table(analysis, group));
  const std::string fastest = fastest_to_quality(analysis, group);
  if (!fastest.empty()) document.paragraph(fastest);
  for (ReportTable& table : communication_tables(group)) document.table(std::move(table));
  for (ReportTable& table : rank_tables(group)) document.table(std::move(table));
  add_exchange(analysis, group, document);
  add_loss_budget(analysis, group, document);
  const std::vector<std::string> bars = timelines(group);
  if (!bars.empty()) {
    document.paragraph(
        "Timelines: a step on one GPU beside the same step on more, by events at the phase borders; "
        "mean over runs, steps and ranks, bars of one scale.");
  }
  for (const std::string& timeline : bars) document.preformatted(timeline);
  add_limits(analysis, group, document);
  document.table(memory_table(analysis, group));
  document.table(steadiness_table(group));
  document.table(quality_table(group));
  document.table(first_use_table(analysis, group));
  document.table(devices_table(group));
}

void add_claims(const Analysis& analysis, Document& document) {
  const std::vector<std::string> claims = claims_in_words(analysis);
  if (claims.empty()) return;
  document.heading(2, "The articles' claims on this machine");
  document.paragraph(
      "A claim holds where every measured case that it speaks of agrees with its whole interval, and does "
      "not "
      "hold where one surely contradicts it. More GPUs are those of ddp, the figures speed-ups unless the "
      "claim "
      "says otherwise.");
  add_items(claims, document);
}

// A byte that is not UTF-8, in a host's name perhaps, must not cost the report.
std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Document full_document(const Analysis& analysis) {
  Document document;
  document.heading(1, "breakeven report: " + analysis.results().path);
  add_answers_and_break_evens(analysis, document);
  const std::vector<std::string> reservations = doubts(analysis);
  if (!reservations.empty()) document.heading(2, "Before you believe it");
  add_items(reservations, document);
  for (const Group& group : analysis.groups()) add_group(analysis, group, document);
  add_claims(analysis, document);
  const std::vector<std::string> missing = runs_not_done(analysis);
  if (!missing.empty()) document.heading(2, "Not done");
  add_items(missing, document);
  document.heading(2, "Provenance");
  add_items(provenance(analysis), document);
  add_items(environments(analysis), document);
  document.paragraph("A dash (–) means not measured. docs/report.md gives the formula of every number.");
  return document;
}

Document summary_document(const Analysis& analysis) {
  Document document;
  add_answers(answer_all(analysis), document);
  for (const Group& group : analysis.groups()) {
    ReportTable table = speed_table(group);
    table.title = analysis.title_of(group);
    document.table(std::move(table));
  }
  add_items(provenance(analysis), document);
  return document;
}

}  // namespace

std::string make_report(const Results& results, ReportFormat format, ReportExtent extent,
                        std::uint64_t memory_limit_bytes) {
  const Analysis analysis(results, memory_limit_bytes);
  if (format == ReportFormat::csv) return render_csv(tidy_cases(analysis));
  if (format == ReportFormat::json) return fmt::format("{}\n", dump(json_report(analysis)));
  const bool full = extent == ReportExtent::full;
  const Document document = full ? full_document(analysis) : summary_document(analysis);
  if (format == ReportFormat::markdown) return document.markdown();
  if (!full) return document.text();
  return fmt::format("{}\n{}", document.text(), figures_of_merit(analysis));
}

}  // namespace breakeven
