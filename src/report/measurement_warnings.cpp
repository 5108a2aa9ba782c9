// SPDX-License-Identifier: Apache-2.0
// What a reader must know of how the steps were measured.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/report/numbers.h"
#include "src/report/throttle.h"
#include "src/report/warnings.h"

namespace breakeven {
namespace {

std::string name_of(const Case& what) {
  return fmt::format("{} batch {} {} on {}", what.model, what.batch, words_of_strategy(what), what.gpus);
}

// Multi-GPU strategies on one GPU are there for the loss budget, which is by phases.
bool is_in_a_speedup(const Case& what) { return what.gpus > 1 || what.strategy == "single"; }

}  // namespace

// Either way: where the step is much shorter with events than without, noise has moved it, not the observer.
void warn_timing_overhead(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t differing = 0;
  std::size_t without_total = 0;
  const analysis::MeasuredCase* worst = nullptr;
  for (const analysis::MeasuredCase& measured : analysis.cases()) {
    const bool is_timed_by_phases =
        measured.timed().what.timing == Timing::phases && !measured.timed().done.empty();
    if (is_timed_by_phases && is_in_a_speedup(measured.what)) ++without_total;
    const double cost = measured.timing_overhead();
    if (std::isnan(cost) || std::abs(cost) <= analysis::timing_overhead_tolerance) continue;
    ++differing;
    if (worst == nullptr || !(std::abs(cost) <= std::abs(worst->timing_overhead()))) worst = &measured;
  }
  if (worst != nullptr) {
    sentences.push_back(
        fmt::format("With events at the phase borders a step takes more than {:.0f} % longer or shorter in "
                    "{} of {} cases (most: "
                    "{}, {}): their phases explain another step than the one that was timed.",
                    100 * analysis::timing_overhead_tolerance, differing, analysis.cases().size(),
                    format_percent(worst->timing_overhead()), name_of(worst->what)));
  }
  if (without_total > 0) {
    sentences.push_back(
        fmt::format("{} of {} cases have runs of the instrument 'phases' alone: their speeds include the "
                    "cost of the observer.",
                    without_total, analysis.cases().size()));
  }
}

void warn_clocks(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t differing = 0;
  std::size_t runs = 0;
  const analysis::CaseSummary* worst = nullptr;
  const auto off = [](const analysis::CaseSummary& summary) {
    return std::abs(summary.steadiness.device_over_host - 1);
  };
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
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
      100 * analysis::clock_tolerance, differing, runs, name_of(worst->what),
      worst->steadiness.device_over_host));
}

void warn_throttling(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t limited = 0;
  std::uint64_t bits = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    const double mask = summary.readings.throttle_reasons;
    if (!is_throttled(mask)) continue;
    ++limited;
    bits |= static_cast<std::uint64_t>(mask);
  }
  if (limited == 0) return;
  sentences.push_back(fmt::format("The clocks were held down during {} of {} cases ({}).", limited,
                                  analysis.summaries().size(), throttle_words(static_cast<double>(bits))));
}

// What was computed is wrong, whatever its time; and arithmetic on what is no number takes less power.
void warn_losses(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t lost = 0;
  std::size_t runs = 0;
  const analysis::CaseSummary* first = nullptr;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    runs += summary.done.size();
    for (const RecordedRun* run : summary.done) {
      if (std::ranges::all_of(run->ranks, ends_with_a_loss)) continue;
      ++lost;
      if (first == nullptr) first = &summary;
    }
  }
  if (first == nullptr) return;
  sentences.push_back(fmt::format(
      "In {} of {} runs the loss of the last step is not a number (first: {}): what they trained is "
      "worth nothing, and their times and joules are of such arithmetic.",
      lost, runs, name_of(first->what)));
}

// Their time counts, but they taught the model nothing.
void warn_skipped_steps(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t skipping = 0;
  const analysis::CaseSummary* worst = nullptr;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
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

void warn_outliers(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t flagged = 0;
  std::size_t runs = 0;
  std::size_t unmeasured = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
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
void warn_steadiness(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t judged = 0;
  std::size_t late = 0;
  std::size_t not_steady = 0;
  std::size_t moved = 0;
  for (const analysis::MeasuredCase& measured : analysis.cases()) {
    const analysis::StepTimes& step = measured.timed().step;
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

}  // namespace breakeven
