// SPDX-License-Identifier: Apache-2.0
// What was compared with what, by how many launches, on which machines; and all warnings in their order.
#include "src/report/warnings.h"
#include "src/core/strategy/case_strategy.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"

namespace breakeven::report {
namespace {

void add(std::string sentence, Sentences& sentences) {
  if (!sentence.empty()) sentences.push_back(std::move(sentence));
}

void warn_host(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  add(host_warning(analysis.results()), sentences);
}

void warn_stragglers(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  add(straggler_in_words(analysis), sentences);
}

void warn_pairing(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t without_base = 0;
  std::size_t without_interval = 0;
  std::size_t unpaired = 0;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& line : group.lines) {
      if (line.measured->timed().done.empty()) continue;
      if (line.comparison.base_timed == nullptr)
        ++without_base;
      else if (line.comparison.speedup.ratio.n < statistics::fewest_for_interval)
        ++without_interval;
      unpaired += line.comparison.unpaired_runs;
    }
  }
  if (without_base > 0) {
    add(fmt::format("{} multi-GPU cases have no speed-up, because their baseline has no finished run: "
                    "'single' on one GPU with the same settings.",
                    without_base),
        sentences);
  }
  if (without_interval > 0) {
    add(fmt::format("{} multi-GPU cases share fewer than {} launches or repeats with their baseline, so no "
                    "verdict can be given.",
                    without_interval, statistics::fewest_for_interval),
        sentences);
  }
  if (unpaired > 0) {
    add(fmt::format("{} multi-GPU runs have no baseline run in the same launch and repeat. They count in the "
                    "speeds, not in the speed-ups.",
                    unpaired),
        sentences);
  }
}

// The same model and batch on one GPU at settings outside the group, where that is faster: the baseline that
// a user would really choose.
const analysis::MeasuredCase* faster_single(const analysis::MeasuredCase& base,
                                            const analysis::FileAnalysis& analysis) {
  const analysis::MeasuredCase* fastest = &base;
  for (const analysis::MeasuredCase& other : analysis.cases()) {
    const Case& what = other.what;
    const bool other_settings = !are_alike(what, base.what, {Axis::gemm, Axis::graph});
    const bool rival = other_settings && what.strategy == single_gpu_strategy &&
                       are_alike(what, base.what, {Axis::model, Axis::batch, Axis::precision, Axis::data});
    const double rate = other.timed().step.samples_per_second;
    if (rival && rate > (1 + statistics::practical_equivalence) * fastest->timed().step.samples_per_second)
      fastest = &other;
  }
  return fastest == &base ? nullptr : fastest;
}

void warn_base(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& line : group.lines) {
      if (line.comparison.base == nullptr) continue;
      const analysis::MeasuredCase* rival = faster_single(*line.comparison.base, analysis);
      if (rival == nullptr) continue;
      add(fmt::format("For {}, one GPU is faster with gemm {}{}: {} samples/s at batch {}. The baseline used "
                      "here reaches {}.",
                      title_of(analysis, group), rival->what.gemm,
                      rival->what.graph ? ", graph" : ", no graph",
                      format_rate(rival->timed().step.samples_per_second), rival->what.batch,
                      format_rate(line.comparison.base->timed().step.samples_per_second)),
          sentences);
      break;  // one example a group
    }
  }
}

void warn_quality(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  if (analysis.qualities_differ()) {
    add("The launches used different quality targets (--until, --eval-every, --smooth), so no time to a "
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
  add(fmt::format("{} of {} runs did not reach {} in all of their steps, so their cases have no time to it.",
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
      const std::optional<analysis::LossBudget>& budget = line.loss;
      if (!budget || !budget->by_phases || budget->by_construction() != analysis::LossPart::unexplained)
        continue;
      if (!std::isfinite(budget->whole_half_width)) continue;
      ++tested;
      if (budget->explains_the_whole()) continue;
      ++unexplained;
      largest = std::max(largest, std::abs((*budget)[analysis::LossPart::unexplained]) / budget->step);
    }
  }
  if (unexplained == 0) return;
  add(fmt::format(
          "In {} of the {} loss budgets with every part measured, the parts do not add up to the loss "
          "within its interval. At most {} of a step is unexplained.",
          unexplained, tested, format_percent(largest)),
      sentences);
}

void warn_launches(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  const std::vector<Launch>& launches = analysis.results().launches;
  std::set<std::string> revisions;
  std::set<std::string> machines;
  for (const Launch& launch : launches) {
    revisions.insert(launch.git_revision);
    machines.insert(machine_name(launch.topology));
  }
  const auto carries_right = [](const Launch& launch) { return links_carry_right(launch.topology); };
  if (!std::ranges::all_of(launches, carries_right))
    add("Some links delivered other data than was sent. Provenance lists the links.", sentences);
  if (launches.size() == 2)
    add("All runs come from two launches. Intervals between launches need at least three.", sentences);
  if (launches.size() == 1) {
    add("All runs come from one launch. The intervals cover the spread between its runs, not between "
        "launches.",
        sentences);
  }
  if (machines.size() > 1)
    add(fmt::format("The launches ran on {} different machines.", machines.size()), sentences);
  if (revisions.size() > 1)
    add(fmt::format("The launches ran {} different builds.", revisions.size()), sentences);
  for (const std::string& revision : revisions) {
    if (revision.ends_with("-dirty"))
      add(fmt::format("Build {} had uncommitted changes.", revision), sentences);
  }
}

}  // namespace

std::vector<std::string> warnings(const analysis::FileAnalysis& analysis) {
  Sentences sentences;
  for (const auto warning : {warn_losses, warn_host, warn_pairing, warn_base, warn_timing_overhead,
                             warn_clocks, warn_throttling, warn_skipped_steps, warn_quality, warn_outliers,
                             warn_settling, warn_steadiness, warn_stragglers, warn_budget, warn_launches}) {
    warning(analysis, sentences);
  }
  return sentences;
}

}  // namespace breakeven::report
