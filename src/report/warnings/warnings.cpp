// SPDX-License-Identifier: Apache-2.0
// What was compared with what, by how many launches, on which machines; and all warnings in their order.
#include "src/report/warnings/warnings.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"
#include "src/report/words/machine.h"

namespace breakeven::report {

void add_warning(std::string_view about, std::string_view sentence, Sentences& sentences) {
  if (!sentence.empty()) sentences.push_back(fmt::format("{}: {}", about, sentence));
}

namespace {

// The words before a colon, which another name may precede: "NVIDIA H200: Few launches: ...". "": none.
std::string_view symptom_of(std::string_view warning) {
  for (const std::string_view one : symptom::all)
    if (warning.starts_with(fmt::format("{}: ", one)) ||
        warning.find(fmt::format(": {}: ", one)) != warning.npos)
      return one;
  return "";
}

}  // namespace

std::string page_of_warning(const std::string& warning) {
  std::string anchor(symptom_of(warning));
  if (anchor.empty()) return "troubleshooting.md#warnings";
  for (char& letter : anchor)
    letter = letter == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return "troubleshooting.md#" + anchor;
}

std::vector<std::string> pages_of_warnings(const Sentences& sentences) {
  std::vector<std::string> pages;
  for (const std::string& sentence : sentences) pages.push_back(page_of_warning(sentence));
  return pages;
}

Sentences in_brief(Sentences sentences) {
  constexpr std::size_t most = 3;
  if (sentences.size() <= most) return sentences;
  const std::size_t left_out = sentences.size() - (most - 1);
  sentences.resize(most - 1);
  sentences.push_back(fmt::format("{} more: --sections warnings.", left_out));
  return sentences;
}

void print_warnings(const Sentences& sentences, Document& document) {
  if (!sentences.empty()) document.heading(2, warnings_heading);
  for (const std::string& sentence : sentences)
    document.item(sentence, {std::string(symptom_of(sentence)), page_of_warning(sentence)});
}

namespace {

void warn_host(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  add_warning(symptom::processor_cores, host_warning(analysis.results()), sentences);
}

void warn_stragglers(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  add_warning(symptom::straggler, straggler_in_words(analysis), sentences);
}

void warn_pairing(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t without_base = 0;
  std::size_t without_interval = 0;
  std::size_t unpaired = 0;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& line : group.lines) {
      without_base += line.warnings.no_baseline;
      without_interval += line.warnings.few_repeats;
      unpaired += line.comparison.unpaired_runs;
    }
  }
  if (without_base > 0) {
    add_warning(
        symptom::no_baseline,
        fmt::format("{} multi-GPU cases have no speed-up, because their baseline has no finished run: "
                    "'single' on one GPU with the same settings.",
                    without_base),
        sentences);
  }
  if (without_interval > 0) {
    add_warning(
        symptom::few_repeats,
        fmt::format(
            "In {} multi-GPU {}, fewer than {} launches or repeats also have the baseline, so no verdict "
            "can be given.",
            without_interval, without_interval == 1 ? "case" : "cases", statistics::fewest_for_interval),
        sentences);
  }
  if (unpaired > 0) {
    add_warning(
        symptom::no_baseline,
        fmt::format("No baseline run is in the same launch and repeat as {} multi-GPU {}, whose step times "
                    "give no speed-up.",
                    unpaired, unpaired == 1 ? "run" : "runs"),
        sentences);
  }
}

void warn_quality(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  if (analysis.qualities_differ()) {
    add_warning(
        symptom::quality,
        "The launches used different quality targets (--until, --eval-every, --smooth), so no time to a "
        "quality is given.",
        sentences);
  }
  if (analysis.quality().empty()) return;
  std::size_t runs = 0;
  std::size_t reached = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    runs += summary.done.size();
    reached += summary.quality.reached_runs;
  }
  if (reached == runs) return;
  add_warning(
      symptom::quality,
      fmt::format("{} of {} runs did not reach {} in all of their steps, so their cases have no time to it.",
                  runs - reached, runs, analysis.quality()),
      sentences);
}

// Where all parts were measured, what they leave says how far they explain the whole.
void warn_budget(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t tested = 0;
  std::size_t unexplained = 0;
  double largest = 0;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& line : group.lines) {
      tested += line.loss && line.loss->is_tested();
      if (!line.warnings.unexplained_loss) continue;
      ++unexplained;
      largest = std::max(largest, std::abs((*line.loss)[analysis::LossPart::unexplained]) / line.loss->step);
    }
  }
  if (unexplained == 0) return;
  add_warning(
      symptom::loss_budget,
      fmt::format(
          "In {} of the {} loss budgets with every part measured, the parts do not add up to the loss "
          "within its interval. At most {} of a step is unexplained.",
          unexplained, tested, format_percent(largest)),
      sentences);
}

// Of as many digits as `breakeven --version` prints: a recorder of an older version wrote all.
std::string short_revision(const std::string& revision) {
  constexpr std::size_t digits = 12, all_digits = 40;
  return revision.size() < all_digits ? revision : revision.substr(0, digits) + revision.substr(all_digits);
}

void warn_launches(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  const std::vector<Launch>& launches = analysis.results().launches;
  std::set<std::string> revisions;
  for (const Launch& launch : launches) revisions.insert(short_revision(launch.git_revision));
  const auto carries_right = [](const Launch& launch) { return links_carry_right(launch.topology); };
  if (!std::ranges::all_of(launches, carries_right))
    add_warning(symptom::wrong_data,
                "Some links delivered other data than was sent. Provenance lists the links.", sentences);
  if (launches.size() == 1)
    add_warning(symptom::few_launches,
                "All runs come from one launch. The intervals cover the spread between its runs, not between "
                "launches.",
                sentences);
  if (launches.size() == 2)
    add_warning(symptom::few_launches,
                "All runs come from two launches. Intervals between launches need a third.", sentences);
  if (const std::size_t count = count_machines(analysis.results()); count > 1)
    add_warning(
        symptom::machines,
        fmt::format("The launches ran on {} machines. Intervals treat launches of one machine like those of "
                    "several.",
                    count),
        sentences);
  if (const std::size_t kinds = count_machine_kinds(analysis.results()); kinds > 1)
    add_warning(symptom::machines, fmt::format("The launches ran on {} different kinds of machine.", kinds),
                sentences);
  if (revisions.size() > 1)
    add_warning(symptom::builds, fmt::format("The launches ran {} different builds.", revisions.size()),
                sentences);
  for (const std::string& revision : revisions) {
    if (revision.ends_with("-dirty"))
      add_warning(symptom::builds, fmt::format("Build {} had uncommitted changes.", revision), sentences);
  }
}

}  // namespace

std::vector<std::string> warnings(const analysis::FileAnalysis& analysis) {
  Sentences sentences;
  for (const auto warning :
       {warn_wrong_numbers, warn_short_runs, warn_step_times, warn_host, warn_quality, warn_stragglers,
        warn_pairing, warn_timing_overhead, warn_clocks, warn_throttling, warn_skipped_steps, warn_outliers,
        warn_idle_gpus, warn_settling, warn_steadiness, warn_budget, warn_launches}) {
    warning(analysis, sentences);
  }
  return sentences;
}

}  // namespace breakeven::report
