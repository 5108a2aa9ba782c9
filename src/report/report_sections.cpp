// SPDX-License-Identifier: Apache-2.0
#include "src/report/report_sections.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "src/report/launch_facts.h"
#include "src/report/overview.h"
#include "src/report/planned_runs.h"
#include "src/report/table_section.h"

namespace breakeven::report {
namespace {

// Of one group; some tables need the whole file too.
template <auto make_table>
ReportTable table_of(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  if constexpr (std::is_invocable_v<decltype(make_table), const analysis::Group&>)
    return make_table(group);
  else
    return make_table(analysis, group);
}

template <auto... make_tables>
void print(Document& document, const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  (document.table(table_of<make_tables>(analysis, group)), ...);
}

void add_items(const std::vector<std::string>& sentences, Document& document) {
  for (const std::string& sentence : sentences) document.item(sentence);
}

void add_with_heading(const std::string& heading, const std::vector<std::string>& sentences,
                      Document& document) {
  if (!sentences.empty()) document.heading(2, heading);
  add_items(sentences, document);
}

void add_answers(const std::vector<std::string>& sentences, Document& document) {
  if (sentences.empty()) document.paragraph("Only one GPU was measured. To compare, run with mpirun -np 2.");
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
  add_with_heading("Read before trusting these numbers", warnings(analysis), document);
}

void print_speed_in_brief(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  if (!is_short(group)) return document.table(verdict_overview(group));
  document.table(speed_table(group));
  document.table(fastest_table(group));
}

void print_budget(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  document.table(loss_budget_table(group));
  document.table(loss_share_table(group));
  for (const std::string& note : loss_budget_notes(group)) document.paragraph(note);
}

void print_budget_in_brief(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  document.table(is_short(group) ? loss_share_table(group) : loss_overview(group));
}

void print_costs_where_priced(Document& document, const analysis::FileAnalysis& analysis,
                              const analysis::Group& group) {
  if (analysis.price_an_hour() > 0) document.table(cost_table(analysis, group));
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
        "Exchange against its formula: not measured. The file does not say how long single calls take on its "
        "machine. A new launch records it.");
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
      "Timelines: a step on one GPU against the same step on more, by events at the phase borders; "
      "mean over runs, steps and ranks, bars of one scale.");
  for (const std::string& timeline : bars) document.preformatted(timeline);
}

void print_roofline(Document& document, const analysis::FileAnalysis& analysis,
                    const analysis::Group& group) {
  ReportTable table = roofline_table(group);
  if (table.rows.empty() && has_phases(analysis, group)) {
    document.paragraph(
        "Roofline: not measured. The file does not hold the peak rates of its machine for these cases. A new "
        "launch records them.");
  }
  document.table(std::move(table));
}

void print_memory_where_asked(Document& document, const analysis::FileAnalysis& analysis,
                              const analysis::Group& group) {
  if (analysis.memory_limit_bytes() > 0) document.table(memory_table(analysis, group));
}

void print_claims(Document& document, const analysis::FileAnalysis& analysis) {
  const std::vector<std::string> claims = claims_in_words(analysis);
  if (claims.empty()) return;
  document.heading(2, "The articles' claims on this machine");
  document.paragraph(
      "A claim holds if every measured case that it covers agrees with its whole interval. It does not hold "
      "if one case surely contradicts it. Unless a claim says otherwise, more GPUs means ddp, and the "
      "figures "
      "are speed-ups.");
  add_items(claims, document);
}

void print_claims_in_brief(Document& document, const analysis::FileAnalysis& analysis) {
  const std::string count = claims_in_brief(analysis);
  if (!count.empty()) add_with_heading("The articles' claims on this machine", {count}, document);
}

void print_missing(Document& document, const analysis::FileAnalysis& analysis) {
  add_with_heading("Missing runs", missing_runs(analysis), document);
}

void print_provenance(Document& document, const analysis::FileAnalysis& analysis) {
  add_with_heading("Provenance", provenance(analysis.results()), document);
}

void print_figures_of_merit(Document& document, const analysis::FileAnalysis& analysis) {
  document.preformatted(figures_of_merit(analysis));
}

GroupSection section_of(const TableSection& one) {
  return {.name = one.name,
          .holds = one.holds,
          .whole = [&one](Document& document, const analysis::FileAnalysis& analysis,
                          const analysis::Group& group) { document.table(one.filled(analysis, group)); },
          .brief = {},
          .has_content = one.has_rows};
}

// Each table behind the section that it names, which may be another table.
std::vector<GroupSection> with_tables(std::vector<GroupSection> sections) {
  std::vector<const TableSection*> waiting = table_sections();
  while (!waiting.empty()) {
    const std::size_t placed = std::erase_if(waiting, [&](const TableSection* one) {
      const auto before = std::ranges::find(sections, one->after, &GroupSection::name);
      if (before == sections.end()) return false;
      sections.insert(before + 1, section_of(*one));
      return true;
    });
    if (placed == 0)
      throw std::logic_error(fmt::format("section '{}' is to follow '{}', which there is not",
                                         waiting.front()->name, waiting.front()->after));
  }
  return sections;
}

}  // namespace

const std::vector<FileSection>& first_sections() {
  static const std::vector<FileSection> sections{
      {"answers", "from which batch on each configuration pays", print_answers, print_answers_in_brief,
       always, answers_are_brief},
      {"break-even", "from which batch and model on each configuration is faster", print_break_even,
       print_break_even_in_brief, has_break_evens, break_evens_in_brief},
      {"warnings", "what to read before trusting the numbers", print_warnings, print_warnings},
  };
  return sections;
}

const std::vector<GroupSection>& group_sections() {
  static const std::vector<GroupSection> sections = with_tables({
      {"speed", "samples a second, speed-ups, verdicts", print<speed_table, fastest_table>,
       print_speed_in_brief, has_lines, speed_in_brief},
      {"costs", "GPU time, money and energy of a million samples", print<cost_table>,
       print_costs_where_priced, has_costs, costs_in_brief},
      {"autotuning", "what 'auto' chose, among what, and its regret",
       print<autotuning_table, candidates_table>, print<autotuning_table>, has_autotuning,
       autotuning_in_brief},
      {"time-to-quality", "how long training to a quality takes", print_time_to_quality,
       print_time_to_quality},
      {"communication", "its phases, by rank too", print_communication, nullptr, has_communication},
      {"exchange", "against its formula", print_exchange, nullptr, has_exchange},
      {"budget", "where the time goes that is lost against perfect scaling", print_budget,
       print_budget_in_brief, has_budget, budget_in_brief},
      {"stragglers", "ranks slower than the others", print_stragglers, nullptr, has_rank_work},
      {"timelines", "a step as bars", print_timelines, nullptr, has_timelines},
      {"roofline", "each phase against what the machine allows", print_roofline, nullptr, has_phases},
      {"memory", "of a rank, and what fits", print<memory_table>, print_memory_where_asked, has_memory,
       memory_in_brief},
  });
  return sections;
}

const std::vector<FileSection>& last_sections() {
  static const std::vector<FileSection> sections{
      {"claims", "of the articles, each checked", print_claims, print_claims_in_brief, has_claims,
       claims_are_counted},
      {"missing", "runs that failed or were not made", print_missing, print_missing},
      {"provenance", "machine, links, command, versions", print_provenance, print_provenance},
      {"fom", "figures of merit: a line a case for harnesses", print_figures_of_merit, nullptr, has_groups},
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

}  // namespace breakeven::report
