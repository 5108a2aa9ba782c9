// SPDX-License-Identifier: Apache-2.0
// What a reader must know of what was compared with what.
#include <set>

#include <fmt/format.h>

#include "src/report/group_words.h"
#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/warnings.h"

namespace breakeven {
namespace {

// The same model and batch on one GPU at settings outside the group, where that is faster: the base that a
// user would really choose.
const analysis::MeasuredCase* faster_single(const analysis::MeasuredCase& base,
                                            const analysis::FileAnalysis& analysis) {
  const analysis::MeasuredCase* fastest = &base;
  for (const analysis::MeasuredCase& other : analysis.cases()) {
    const Case& what = other.what;
    const bool other_settings = !are_alike(what, base.what, {Axis::gemm, Axis::graph});
    const bool rival = other_settings && what.strategy == "single" &&
                       are_alike(what, base.what, {Axis::model, Axis::batch, Axis::precision, Axis::data});
    const double rate = other.timed().step.samples_per_second;
    if (rival && rate > (1 + practical_equivalence) * fastest->timed().step.samples_per_second)
      fastest = &other;
  }
  return fastest == &base ? nullptr : fastest;
}

}  // namespace

void warn_pairing(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t without_base = 0;
  std::size_t without_interval = 0;
  std::size_t unpaired = 0;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& line : group.lines) {
      if (line.measured->timed().done.empty()) continue;
      if (line.comparison.base_timed == nullptr)
        ++without_base;
      else if (line.comparison.speedup.ratio.n < fewest_for_interval)
        ++without_interval;
      unpaired += line.comparison.unpaired_runs;
    }
  }
  if (without_base > 0) {
    sentences.push_back(fmt::format(
        "{} multi-GPU cases have no finished run of their base, 'single' on one GPU at the same settings: "
        "nothing is said of their speed-up.",
        without_base));
  }
  if (without_interval > 0) {
    sentences.push_back(
        fmt::format("{} multi-GPU cases share fewer than {} launches or repeats with their base: "
                    "no verdict can be given.",
                    without_interval, fewest_for_interval));
  }
  if (unpaired > 0) {
    sentences.push_back(
        fmt::format("{} multi-GPU runs have no run of their base in the same launch and repeat; "
                    "they count in the speeds, not in the speed-ups.",
                    unpaired));
  }
}

void warn_base(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& line : group.lines) {
      if (line.comparison.base == nullptr) continue;
      const analysis::MeasuredCase* rival = faster_single(*line.comparison.base, analysis);
      if (rival == nullptr) continue;
      sentences.push_back(fmt::format(
          "For {} one GPU alone is faster with gemm {}{}: {} samples/s at batch {}, against {} of the base "
          "used here.",
          title_of(analysis, group), rival->what.gemm, rival->what.graph ? ", graph" : ", no graph",
          format_rate(rival->timed().step.samples_per_second), rival->what.batch,
          format_rate(line.comparison.base->timed().step.samples_per_second)));
      break;  // one example a group
    }
  }
}

void warn_quality(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  if (analysis.qualities_differ()) {
    sentences.push_back(
        "The launches trained until different qualities, or judged them differently (--until, --eval-every, "
        "--smooth): no time to a quality is given.");
  }
  if (analysis.quality().empty()) return;
  std::size_t runs = 0;
  std::size_t reached = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    runs += summary.done.size();
    reached += summary.quality.reached_runs;
  }
  if (reached == runs) return;
  sentences.push_back(
      fmt::format("{} of {} runs did not reach {} in all of their steps: their cases have no time to it.",
                  runs - reached, runs, analysis.quality()));
}

void warn_launches(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  const std::vector<Launch>& launches = analysis.results().launches;
  std::set<std::string> revisions;
  std::set<std::string> machines;
  bool wrong_data = false;
  for (const Launch& launch : launches) {
    revisions.insert(launch.git_revision);
    machines.insert(machine_name(launch.topology));
    wrong_data = wrong_data || !links_carry_right(launch.topology);
  }
  if (wrong_data)
    sentences.push_back(
        "Some links delivered floats other than the ones sent: see the links under Provenance.");
  if (launches.size() == 2) {
    sentences.push_back(
        "All runs are of two launches: a third is the least that intervals between launches can be made of.");
  }
  if (launches.size() == 1) {
    sentences.push_back(
        "All runs are of one launch: the intervals cover what varies between its runs, not between "
        "launches.");
  }
  if (machines.size() > 1)
    sentences.push_back(fmt::format("The launches ran on {} different machines.", machines.size()));
  if (revisions.size() > 1)
    sentences.push_back(fmt::format("The launches ran {} different builds.", revisions.size()));
  for (const std::string& revision : revisions) {
    if (revision.ends_with("-dirty"))
      sentences.push_back(fmt::format("Build {} had uncommitted changes.", revision));
  }
}

}  // namespace breakeven
