// SPDX-License-Identifier: Apache-2.0
// The sections of the whole file: answers and warnings first, claims and provenance last.
#include "src/report/sections/report_sections.h"
#include "src/report/sections/sections.h"
#include "src/report/warnings/warnings.h"
#include "src/report/words/launch_facts.h"
#include "src/report/words/machine.h"
#include "src/report/words/planned_runs.h"

#include <fmt/format.h>

namespace breakeven::report {
namespace {

void add_items(const std::vector<std::string>& sentences, Document& document) {
  for (const std::string& sentence : sentences) document.item(sentence);
}

void add_with_heading(const std::string& heading, const std::vector<std::string>& sentences,
                      Document& document) {
  if (!sentences.empty()) document.heading(2, heading);
  add_items(sentences, document);
}

// Each verdict as a paragraph of its own, then its conditions; and if it is the only one, what its loss goes
// to.
void print_answers_in_brief(Document& document, const AnalysedFile& file) {
  const std::vector<std::string> lines = verdicts_in_brief(file.analysis, file.verdicts);
  const std::string_view one = ran_on_host(file.analysis.results()) ? "one host device" : "one GPU";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    document.lead(lines[i]);
    if (i >= file.verdicts.size() || file.verdicts.size() > most_verdict_lines) continue;
    const Verdict& verdict = file.verdicts[i];
    const bool is_only = file.verdicts.size() == 1;
    for (const std::string& why : {faster_single_in_words(verdict.curve.lines, one),
                                   is_only ? loss_in_words(file.analysis, {verdict.evidence}) : "",
                                   conditions_in_words(verdict.curve.lines)})
      if (!why.empty()) document.item(why);
  }
}

void print_answers(Document& document, const AnalysedFile& file) {
  if (file.verdicts.empty()) return print_answers_in_brief(document, file);
  for (const Verdict& verdict : file.verdicts) document.lead(verdict.sentence);
  if (const std::string missing = unmeasured_cases_in_words(file.analysis); !missing.empty())
    document.lead(missing);
  for (const Answer& answer : answer_all(file.analysis)) document.item(in_words(answer));
}

void print_break_even(Document& document, const analysis::FileAnalysis& analysis) {
  document.table(break_even_table(analysis));
}

void print_break_even_in_brief(Document& document, const AnalysedFile& file) {
  document.table(file.break_evens_in_brief);
}

void print_all_warnings(Document& document, const analysis::FileAnalysis& analysis) {
  print_warnings(warnings(analysis), document);
}

void print_warnings_in_brief(Document& document, const analysis::FileAnalysis& analysis) {
  print_warnings(in_brief(warnings(analysis)), document);
}

void print_missing_in_brief(Document& document, const analysis::FileAnalysis& analysis) {
  const std::size_t cases = missing_runs(analysis).size();
  if (cases > 0)
    add_with_heading("Missing runs", {fmt::format("In {} cases: --sections missing.", cases)}, document);
}

void print_claims(Document& document, const analysis::FileAnalysis& analysis) {
  const std::string count = claims_in_brief(analysis);
  if (count.empty()) return;
  document.heading(2, "The articles' claims on this machine");
  document.paragraph(
      "A claim holds if every measured case that it covers agrees with its whole interval. It does not hold "
      "if the whole interval of one case contradicts it. A claim of what is typical needs most cases. The "
      "article that measured used fp32, two GPUs and batches 8 to 128. Unless a claim says otherwise, "
      "more GPUs means ddp, and the figures are speed-ups.");
  document.paragraph(count);
  add_items(claims_in_words(analysis), document);
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

}  // namespace

const std::vector<FileSection>& first_sections() {
  static const std::vector<FileSection> sections{
      {"answers", "from which batch on each configuration pays", print_answers, print_answers_in_brief},
      {"break-even", "from which batch and model on each configuration is faster", print_break_even,
       print_break_even_in_brief},
      {"warnings", "what to read before trusting the numbers", print_all_warnings, print_warnings_in_brief,
       true},
  };
  return sections;
}

const std::vector<FileSection>& last_sections() {
  static const std::vector<FileSection> sections{
      {"claims", "the articles' claims, checked", print_claims},
      {"missing", "runs that failed or were not made", print_missing, print_missing_in_brief, true},
      {"provenance", "machine, links, command, versions", print_provenance},
      {"fom", "figures of merit: one line per case, for test harnesses", print_figures_of_merit},
  };
  return sections;
}

}  // namespace breakeven::report
