// SPDX-License-Identifier: Apache-2.0
#include "src/report/report_sections.h"

#include "src/report/overview.h"

namespace breakeven {
namespace {

void add_items(const std::vector<std::string>& sentences, Document& document) {
  for (const std::string& sentence : sentences) document.item(sentence);
}

void add_with_heading(const std::string& heading, const std::vector<std::string>& sentences,
                      Document& document) {
  if (!sentences.empty()) document.heading(2, heading);
  add_items(sentences, document);
}

void add_answers(const std::vector<std::string>& sentences, Document& document) {
  if (sentences.empty())
    document.paragraph("This file holds no case on more than one GPU, so that nothing is answered.");
  add_items(sentences, document);
}

void print_answers(Document& document, const analysis::FileAnalysis& analysis) {
  std::vector<std::string> sentences;
  for (const Answer& answer : answer_all(analysis)) sentences.push_back(in_words(answer));
  add_answers(sentences, document);
}

void print_answers_in_brief(Document& document, const analysis::FileAnalysis& analysis) {
  add_answers(answers_in_brief(analysis), document);
}

void print_break_even(Document& document, const analysis::FileAnalysis& analysis) {
  document.table(break_even_table(analysis));
}

void print_break_even_in_brief(Document& document, const analysis::FileAnalysis& analysis) {
  document.table(is_short(count_break_evens(analysis)) ? break_even_table(analysis)
                                                       : fastest_break_even_table(analysis));
}

void print_warnings(Document& document, const analysis::FileAnalysis& analysis) {
  add_with_heading("Before you believe it", warnings(analysis), document);
}

void print_speed(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  document.table(speed_table(group));
  document.table(fastest_table(group));
}

void print_speed_in_brief(Document& document, const analysis::FileAnalysis& analysis,
                          const analysis::Group& group) {
  if (is_short(group)) return print_speed(document, analysis, group);
  document.table(verdict_overview(group));
}

void print_budget(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  document.table(loss_budget_table(group));
  document.table(loss_share_table(group));
  for (const std::string& note : loss_budget_notes(group)) document.paragraph(note);
}

void print_budget_in_brief(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  document.table(is_short(group) ? loss_share_table(group) : loss_overview(group));
}

void print_costs(Document& document, const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  document.table(cost_table(analysis, group));
}

void print_costs_where_priced(Document& document, const analysis::FileAnalysis& analysis,
                              const analysis::Group& group) {
  if (analysis.price_an_hour() > 0) print_costs(document, analysis, group);
}

void print_choices(Document& document, const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  document.table(choices_table(analysis, group));
  document.table(candidates_table(analysis, group));
}

void print_choices_in_brief(Document& document, const analysis::FileAnalysis& analysis,
                            const analysis::Group& group) {
  document.table(choices_table(analysis, group));
}

void print_bounds(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  document.table(bounds_table(group));
}

void print_steps(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  document.table(step_table(group));
}

void print_strategy_overhead(Document& document, const analysis::FileAnalysis&,
                             const analysis::Group& group) {
  document.table(strategy_overhead_table(group));
}

void print_time_to_quality(Document& document, const analysis::FileAnalysis& analysis,
                           const analysis::Group& group) {
  document.table(time_to_quality_table(analysis, group));
  const std::string fastest = fastest_to_quality(analysis, group);
  if (!fastest.empty()) document.paragraph(fastest);
}

void print_communication(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  for (ReportTable& table : communication_tables(group)) document.table(std::move(table));
  for (ReportTable& table : rank_tables(group)) document.table(std::move(table));
}

void print_exchange(Document& document, const analysis::FileAnalysis& analysis,
                    const analysis::Group& group) {
  ReportTable table = exchange_table(analysis, group);
  if (table.rows.empty() && exchanges(group)) {
    document.paragraph(
        "Exchange beside its formula: not measured. The file does not say what single calls take on its "
        "machine; a launch of this program records it.");
  }
  document.table(std::move(table));
  document.table(bubble_table(analysis, group));
}

void print_stragglers(Document& document, const analysis::FileAnalysis& analysis,
                      const analysis::Group& group) {
  document.table(stragglers_table(group));
  for (const std::string& note : straggler_notes(analysis, group)) document.paragraph(note);
}

void print_timelines(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  const std::vector<std::string> bars = timelines(group);
  if (bars.empty()) return;
  document.paragraph(
      "Timelines: a step on one GPU beside the same step on more, by events at the phase borders; "
      "mean over runs, steps and ranks, bars of one scale.");
  for (const std::string& timeline : bars) document.preformatted(timeline);
}

void print_limits(Document& document, const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  ReportTable table = limits_table(group);
  if (table.rows.empty() && has_phases(analysis, group)) {
    document.paragraph(
        "Limits: not measured. The file holds no ceilings of its machine for these cases; a launch of this "
        "program records them.");
  }
  document.table(std::move(table));
}

void print_memory(Document& document, const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  document.table(memory_table(analysis, group));
}

void print_memory_where_asked(Document& document, const analysis::FileAnalysis& analysis,
                              const analysis::Group& group) {
  if (analysis.memory_limit_bytes() > 0) print_memory(document, analysis, group);
}

void print_steadiness(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  document.table(steadiness_table(group));
}

void print_measurement(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  document.table(quality_table(group));
}

void print_start_up(Document& document, const analysis::FileAnalysis& analysis,
                    const analysis::Group& group) {
  document.table(start_up_table(analysis, group));
}

void print_devices(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  document.table(devices_table(group));
}

void print_claims(Document& document, const analysis::FileAnalysis& analysis) {
  const std::vector<std::string> claims = claims_in_words(analysis);
  if (claims.empty()) return;
  document.heading(2, "The articles' claims on this machine");
  document.paragraph(
      "A claim holds where every measured case that it speaks of agrees with its whole interval, and does "
      "not hold where one surely contradicts it. More GPUs are those of ddp, the figures speed-ups unless "
      "the claim says otherwise.");
  add_items(claims, document);
}

void print_claims_in_brief(Document& document, const analysis::FileAnalysis& analysis) {
  const std::string count = claims_in_brief(analysis);
  if (!count.empty()) add_with_heading("The articles' claims on this machine", {count}, document);
}

void print_not_done(Document& document, const analysis::FileAnalysis& analysis) {
  add_with_heading("Not done", runs_not_done(analysis), document);
}

void print_provenance(Document& document, const analysis::FileAnalysis& analysis) {
  add_with_heading("Provenance", provenance(analysis), document);
  add_items(environments(analysis), document);
}

void print_merits(Document& document, const analysis::FileAnalysis& analysis) {
  document.preformatted(figures_of_merit(analysis));
}

}  // namespace

const std::vector<FileSection>& first_sections() {
  static const std::vector<FileSection> sections{
      {"answers", "from which batch on each way pays", print_answers, print_answers_in_brief, always,
       answers_are_brief},
      {"break-even", "from which batch and model on each way is faster", print_break_even,
       print_break_even_in_brief, has_break_evens, break_evens_in_brief},
      {"doubts", "what to know before believing it", print_warnings, print_warnings},
  };
  return sections;
}

const std::vector<GroupSection>& group_sections() {
  static const std::vector<GroupSection> sections{
      {"speed", "samples a second, speed-ups, verdicts", print_speed, print_speed_in_brief, has_lines,
       speed_in_brief},
      {"costs", "GPU time, money and energy of a million samples", print_costs, print_costs_where_priced,
       has_costs, costs_in_brief},
      {"choices", "what 'auto' chose, among what, and its regret", print_choices, print_choices_in_brief,
       has_choices, choices_in_brief},
      {"bounds", "how fast at best", print_bounds, nullptr, has_bounds},
      {"steps", "the time of a step", print_steps, nullptr, has_cases},
      {"machinery", "an exchanging strategy on one GPU", print_strategy_overhead, nullptr,
       has_strategy_overhead},
      {"time-to-quality", "what the steps are worth", print_time_to_quality, print_time_to_quality},
      {"communication", "its phases, by rank too", print_communication, nullptr, has_communication},
      {"exchange", "beside its formula", print_exchange, nullptr, has_exchange},
      {"budget", "where the time above the ideal goes", print_budget, print_budget_in_brief, has_budget,
       budget_in_brief},
      {"stragglers", "ranks that are slow of themselves", print_stragglers, nullptr, has_rank_work},
      {"timelines", "a step as bars", print_timelines, nullptr, has_timelines},
      {"limits", "each phase beside what the machine allows", print_limits, nullptr, has_phases},
      {"memory", "of a rank, and what fits", print_memory, print_memory_where_asked, has_memory,
       memory_in_brief},
      {"steadiness", "warm-up, drift, independent steps", print_steadiness, nullptr, has_cases},
      {"measurement", "observer, clocks, outliers", print_measurement, nullptr, has_cases},
      {"first-use", "set-up and first step", print_start_up, nullptr, has_cases},
      {"devices", "clocks, power, utilization", print_devices, nullptr, has_cases},
  };
  return sections;
}

const std::vector<FileSection>& last_sections() {
  static const std::vector<FileSection> sections{
      {"claims", "of the articles, each checked", print_claims, print_claims_in_brief, has_claims,
       claims_are_counted},
      {"not-done", "runs that failed or are missing", print_not_done, print_not_done},
      {"provenance", "machine, links, command, versions", print_provenance, print_provenance},
      {"merits", "a line a case for harnesses", print_merits, nullptr, has_groups},
  };
  return sections;
}

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const FileSection& section : first_sections()) names.emplace_back(section.name);
  for (const GroupSection& section : group_sections()) names.emplace_back(section.name);
  for (const FileSection& section : last_sections()) names.emplace_back(section.name);
  return names;
}

}  // namespace breakeven
