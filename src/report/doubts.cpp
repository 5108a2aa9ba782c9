// SPDX-License-Identifier: Apache-2.0
// Sentences on what makes the numbers of a file less trustworthy than they look.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"
#include "src/report/throttle.h"

namespace breakeven {
namespace {

using Sentences = std::vector<std::string>;

std::string name_of(const Case& what) {
  return fmt::format("{} batch {} {} on {}", what.model, what.batch, what.strategy, what.gpus);
}

// Either way: where the step is much shorter with events than without, noise has moved it, not the observer.
void doubt_observer(const Analysis& analysis, Sentences& sentences) {
  std::size_t differing = 0;
  std::size_t without_total = 0;
  const MeasuredCase* worst = nullptr;
  for (const MeasuredCase& measured : analysis.cases()) {
    if (measured.timed().what.instrument == "phases" && !measured.timed().done.empty()) ++without_total;
    const double cost = measured.observer_cost();
    if (std::isnan(cost) || std::abs(cost) <= observer_tolerance) continue;
    ++differing;
    if (worst == nullptr || !(std::abs(cost) <= std::abs(worst->observer_cost()))) worst = &measured;
  }
  if (worst != nullptr) {
    sentences.push_back(
        fmt::format("With events at the phase borders a step takes more than {:.0f} % longer or shorter in "
                    "{} of {} cases (most: "
                    "{}, {}): their phases explain another step than the one that was timed.",
                    100 * observer_tolerance, differing, analysis.cases().size(),
                    format_percent(worst->observer_cost()), name_of(worst->what)));
  }
  if (without_total > 0) {
    sentences.push_back(
        fmt::format("{} of {} cases have runs of the instrument 'phases' alone: their speeds include the "
                    "cost of the observer.",
                    without_total, analysis.cases().size()));
  }
}

void doubt_clocks(const Analysis& analysis, Sentences& sentences) {
  std::size_t differing = 0;
  std::size_t runs = 0;
  const CaseSummary* worst = nullptr;
  const auto off = [](const CaseSummary& summary) {
    return std::abs(summary.steadiness.device_over_host - 1);
  };
  for (const CaseSummary& summary : analysis.summaries()) {
    runs += summary.done.size();
    differing += summary.steadiness.clock_disagreements;
    if (summary.steadiness.clock_disagreements == 0) continue;
    if (worst == nullptr || !(off(summary) <= off(*worst))) worst = &summary;
  }
  if (worst == nullptr) return;
  sentences.push_back(fmt::format(
      "The device's events and the host's clock differ by more than {:.0f} % over the measured steps, or one "
      "of them "
      "was not read, in {} of {} runs (furthest: {}, device / host {:.3f}).",
      100 * clock_tolerance, differing, runs, name_of(worst->what), worst->steadiness.device_over_host));
}

// Their time counts, but they taught the model nothing.
void doubt_skipped_steps(const Analysis& analysis, Sentences& sentences) {
  std::size_t skipping = 0;
  const CaseSummary* worst = nullptr;
  for (const CaseSummary& summary : analysis.summaries()) {
    if (!(summary.readings.skipped_steps > 0)) continue;
    ++skipping;
    if (worst == nullptr || summary.readings.skipped_steps > worst->readings.skipped_steps) worst = &summary;
  }
  if (worst == nullptr) return;
  sentences.push_back(fmt::format(
      "Overflow in fp16 left steps without an update in {} of {} cases (most: {:.1f} steps a run, "
      "warm-up included, {}).",
      skipping, analysis.summaries().size(), worst->readings.skipped_steps, name_of(worst->what)));
}

void doubt_quality(const Analysis& analysis, Sentences& sentences) {
  if (analysis.qualities_differ()) {
    sentences.push_back(
        "The launches trained until different qualities, or judged them differently (--until, --look-every, "
        "--smooth): no time to a quality is given.");
  }
  if (analysis.quality().empty()) return;
  std::size_t runs = 0;
  std::size_t reached = 0;
  for (const CaseSummary& summary : analysis.summaries()) {
    runs += summary.done.size();
    reached += summary.quality.reached_runs;
  }
  if (reached == runs) return;
  sentences.push_back(
      fmt::format("{} of {} runs did not reach {} in all of their steps: their cases have no time to it.",
                  runs - reached, runs, analysis.quality()));
}

void doubt_outliers(const Analysis& analysis, Sentences& sentences) {
  std::size_t flagged = 0;
  std::size_t runs = 0;
  std::size_t unmeasured = 0;
  for (const CaseSummary& summary : analysis.summaries()) {
    runs += summary.done.size();
    for (const double seconds : summary.step.run_means) unmeasured += std::isfinite(seconds) ? 0 : 1;
    if (std::isfinite(summary.step.mean_seconds)) flagged += summary.steadiness.outlier_runs.count;
  }
  if (unmeasured > 0) {
    sentences.push_back(fmt::format(
        "{} of {} finished runs lack a step's time on some rank; their cases count as not measured.",
        unmeasured, runs));
  }
  if (flagged > 0) {
    sentences.push_back(
        fmt::format("{} of {} runs are flagged as outliers (modified Z-score over 3.5 within their case); "
                    "all are kept in every total.",
                    flagged, runs));
  }
}

// Of the cases that speeds are made of.
void doubt_steadiness(const Analysis& analysis, Sentences& sentences) {
  std::size_t judged = 0;
  std::size_t late = 0;
  std::size_t not_steady = 0;
  std::size_t moved = 0;
  for (const MeasuredCase& measured : analysis.cases()) {
    const StepTimes& step = measured.timed().step;
    judged += step.judged_runs;
    late += step.late_warmup_runs;
    not_steady += step.not_steady_runs;
    const double moved_by = std::abs(step.whole_mean_seconds / step.mean_seconds - 1);
    if (step.late_warmup_runs > 0 && !(moved_by <= steady_tolerance)) ++moved;
  }
  if (late > 0) {
    sentences.push_back(fmt::format(
        "In {} of {} runs the warm-up went on into the measured steps: those steps are set aside, which "
        "moves "
        "the step time of {} cases by more than {:.0f} %. More warm-up steps (--warmup) would keep them.",
        late, judged, moved, 100 * steady_tolerance));
  }
  if (not_steady > 0) {
    sentences.push_back(
        fmt::format("{} of {} runs did not become steady: their step time depends on how long they were.",
                    not_steady, judged));
  }
}

void doubt_pairing(const Analysis& analysis, Sentences& sentences) {
  std::size_t without_base = 0;
  std::size_t without_interval = 0;
  std::size_t unpaired = 0;
  for (const Group& group : analysis.groups()) {
    for (const Line& line : group.lines) {
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

void doubt_launches(const Analysis& analysis, Sentences& sentences) {
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

void doubt_throttling(const Analysis& analysis, Sentences& sentences) {
  std::size_t limited = 0;
  std::uint64_t bits = 0;
  for (const CaseSummary& summary : analysis.summaries()) {
    const double mask = summary.readings.throttle_reasons;
    if (!is_throttled(mask)) continue;
    ++limited;
    bits |= static_cast<std::uint64_t>(mask);
  }
  if (limited == 0) return;
  sentences.push_back(fmt::format("The clocks were held down during {} of {} cases ({}).", limited,
                                  analysis.summaries().size(), throttle_words(static_cast<double>(bits))));
}

// The same model and batch on one GPU at settings outside the group, where that is faster: the base that a
// user would really choose.
const MeasuredCase* faster_single(const MeasuredCase& base, const Analysis& analysis) {
  const MeasuredCase* fastest = &base;
  for (const MeasuredCase& other : analysis.cases()) {
    const Case& what = other.what;
    const bool other_settings = what.gemm != base.what.gemm || what.graph != base.what.graph;
    const bool rival = other_settings && what.strategy == "single" && what.model == base.what.model &&
                       what.batch == base.what.batch && what.precision == base.what.precision &&
                       what.data == base.what.data;
    const double rate = other.timed().step.samples_per_second;
    if (rival && rate > (1 + practical_equivalence) * fastest->timed().step.samples_per_second)
      fastest = &other;
  }
  return fastest == &base ? nullptr : fastest;
}

void doubt_base(const Analysis& analysis, Sentences& sentences) {
  for (const Group& group : analysis.groups()) {
    for (const Line& line : group.lines) {
      if (line.comparison.base == nullptr) continue;
      const MeasuredCase* rival = faster_single(*line.comparison.base, analysis);
      if (rival == nullptr) continue;
      sentences.push_back(fmt::format(
          "For {} one GPU alone is faster with gemm {}{}: {} samples/s at batch {}, against {} of the base "
          "used here.",
          analysis.title_of(group), rival->what.gemm, rival->what.graph ? ", graph" : ", no graph",
          format_rate(rival->timed().step.samples_per_second), rival->what.batch,
          format_rate(line.comparison.base->timed().step.samples_per_second)));
      break;  // one example a group
    }
  }
}

}  // namespace

std::vector<std::string> doubts(const Analysis& analysis) {
  Sentences sentences;
  if (ran_on_host(analysis.results())) {
    sentences.push_back(
        "The devices are processor cores (host backend), not GPUs: the figures say nothing about GPUs.");
  }
  doubt_pairing(analysis, sentences);
  doubt_base(analysis, sentences);
  doubt_observer(analysis, sentences);
  doubt_clocks(analysis, sentences);
  doubt_throttling(analysis, sentences);
  doubt_skipped_steps(analysis, sentences);
  doubt_quality(analysis, sentences);
  doubt_outliers(analysis, sentences);
  doubt_steadiness(analysis, sentences);
  doubt_launches(analysis, sentences);
  return sentences;
}

}  // namespace breakeven
