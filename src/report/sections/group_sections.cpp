// SPDX-License-Identifier: Apache-2.0
// The sections of each group of cases.
#include <algorithm>
#include <set>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"
#include "src/report/sections/report_sections.h"
#include "src/report/sections/roofline.h"
#include "src/report/sections/sections.h"

namespace breakeven::report {
namespace {

constexpr std::size_t most_rows_in_brief = 12;

bool is_short(const analysis::Group& group) { return group.lines.size() <= most_rows_in_brief; }

bool has_phases(const analysis::Group& group) {
  return std::ranges::any_of(group.cases, [](const analysis::CaseResult& result) {
    return analysis::is_done(result.measured->phases);
  });
}

bool exchanges_in_phases(const analysis::Group& group) {
  return std::ranges::any_of(group.lines, [](const analysis::CaseResult& line) {
    const analysis::CaseSummary* phases = line.measured->phases;
    return phases != nullptr && phases->readings.exchange_calls > 0;
  });
}

std::size_t count_configurations(const analysis::Group& group) {
  std::set<std::string> configurations;
  for (const analysis::CaseResult& line : group.lines)
    configurations.insert(strategy_of(line.measured->what, group));
  return configurations.size();
}

// A table of one group; some need the whole file too.
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

// Few enough for all groups, where no table of break-evens says the same.
bool are_short_together(const AnalysedFile& file) {
  constexpr std::size_t most_groups = 2;
  std::size_t lines = 0;
  for (const analysis::Group& group : file.analysis.groups()) lines += group.lines.size();
  return lines <= most_rows_in_brief && file.analysis.groups().size() <= most_groups &&
         file.break_evens_in_brief.rows.empty();
}

bool fits_in_brief(const ReportTable& table, const analysis::FileAnalysis& analysis) {
  return analysis.groups().size() == 1 && !table.rows.empty() && table.rows.size() <= most_rows_in_brief;
}

// Strong beside weak scaling says the same speed-ups in fewer columns.
void print_speed_in_brief(Document& document, const AnalysedFile& file, const analysis::Group& group) {
  if (fits_in_brief(strong_and_weak_section.filled(file.analysis, group), file.analysis)) return;
  if (file.analysis.groups().size() > 1 && !are_short_together(file)) return;
  if (count_configurations(group) > most_rows_in_brief) return;
  if (!is_short(group)) {
    document.table(verdict_overview(group));
    return;
  }
  ReportTable table = speed_table(group);
  drop_column(columns::efficiency.key, table);  // the speed-up says it, and verdicts need the room
  document.table(std::move(table));
}

void print_budget(Document& document, const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  document.table(loss_budget_table(group));
  document.table(loss_share_table(group));
  for (const std::string& note : loss_budget_notes(analysis, group)) document.paragraph(note);
}

void print_costs_where_priced(Document& document, const analysis::FileAnalysis& analysis,
                              const analysis::Group& group) {
  if (analysis.price_an_hour() > 0) document.table(cost_table(analysis, group));
}

void print_fastest_to_quality(Document& document, const analysis::FileAnalysis& analysis,
                              const analysis::Group& group) {
  const std::string fastest = fastest_to_quality(analysis, group);
  if (!fastest.empty()) document.paragraph(fastest);
}

void print_autotuning_in_brief(Document& document, const analysis::FileAnalysis& analysis,
                               const analysis::Group& group) {
  if (analysis.groups().size() == 1) document.table(autotuning_table(analysis, group));
}

void print_time_to_quality(Document& document, const analysis::FileAnalysis& analysis,
                           const analysis::Group& group) {
  document.table(time_to_quality_table(analysis, group));
  print_fastest_to_quality(document, analysis, group);
}

void print_quality_in_brief(Document& document, const analysis::FileAnalysis& analysis,
                            const analysis::Group& group) {
  if (analysis.groups().size() == 1 && is_short(group))
    print_time_to_quality(document, analysis, group);
  else
    print_fastest_to_quality(document, analysis, group);
}

void print_communication(Document& document, const analysis::FileAnalysis&, const analysis::Group& group) {
  for (ReportTable& table : communication_tables(group)) document.table(std::move(table));
  for (ReportTable& table : rank_tables(group)) document.table(std::move(table));
}

void print_exchange(Document& document, const analysis::FileAnalysis& analysis,
                    const analysis::Group& group) {
  ReportTable table = exchange_table(analysis, group);
  if (table.rows.empty() && exchanges_in_phases(group)) {
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
  if (table.rows.empty() && has_phases(group)) {
    document.paragraph(
        "Roofline: not measured. The file does not hold the peak rates of its machine for these cases. A new "
        "launch records them.");
  }
  const std::string caveat = table.rows.empty() ? "" : roofline_caveat(analysis.results());
  document.table(std::move(table));
  if (!caveat.empty()) document.paragraph(caveat);
}

void print_memory_where_asked(Document& document, const analysis::FileAnalysis& analysis,
                              const analysis::Group& group) {
  if (analysis.memory_limit_bytes() > 0) document.table(memory_table(analysis, group));
}

void print_with_notes(const TableSection& one, ReportTable table, Document& document) {
  if (table.rows.empty()) return;
  document.table(std::move(table));
  for (const std::string_view note : one.notes) document.item(std::string(note));
}

GroupSection section_of(const TableSection& one) {
  GroupSection section{.name = one.name, .holds = one.holds, .whole = {}};
  section.whole = [&one](Document& document, const analysis::FileAnalysis& analysis,
                         const analysis::Group& group) {
    print_with_notes(one, one.filled(analysis, group), document);
  };
  if (!one.in_brief) return section;
  section.brief = [&one](Document& document, const analysis::FileAnalysis& analysis,
                         const analysis::Group& group) {
    ReportTable table = one.filled(analysis, group);
    if (fits_in_brief(table, analysis)) print_with_notes(one, std::move(table), document);
  };
  return section;
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
      throw std::logic_error(fmt::format("section '{}' is to follow '{}', which does not exist",
                                         waiting.front()->name, waiting.front()->after));
  }
  return sections;
}

}  // namespace

const std::vector<GroupSection>& group_sections() {
  static const std::vector<GroupSection> sections = with_tables({
      {"speed", "samples a second, speed-ups, verdicts", print<speed_table, fastest_table>,
       print_speed_in_brief},
      {"costs", "GPU time, money and energy of a million samples", print<cost_table>,
       print_costs_where_priced},
      {"autotuning", "the choice of 'auto', its candidates, its regret",
       print<autotuning_table, candidates_table>, print_autotuning_in_brief},
      {"time-to-quality", "how long training to a quality takes", print_time_to_quality,
       print_quality_in_brief},
      {"communication", "phases of communication, also by rank", print_communication},
      {"exchange", "communication against its formula", print_exchange},
      {"budget", "time lost against perfect scaling, by cause", print_budget},
      {"stragglers", "ranks slower than the others", print_stragglers},
      {"timelines", "a step as bars", print_timelines},
      {"roofline", "each phase against what the machine allows", print_roofline},
      {"memory", "of a rank, and what fits", print<memory_table>, print_memory_where_asked},
  });
  return sections;
}

}  // namespace breakeven::report
