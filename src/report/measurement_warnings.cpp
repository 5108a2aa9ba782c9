// SPDX-License-Identifier: Apache-2.0
// What a reader must know of how the steps were measured.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/numbers.h"
#include "src/report/throttle.h"
#include "src/report/warnings.h"

namespace breakeven::report {
namespace {

std::string name_of(const Case& what) {
  return fmt::format("{} batch {} {} on {}", what.model, what.batch, words_of_strategy(what), what.gpus);
}

// A multi-GPU strategy on one GPU is measured for the loss budget only, which is by phases.
bool is_in_a_speedup(const Case& what) { return what.gpus > 1 || what.strategy == single_gpu_strategy; }

std::size_t runs_of(const analysis::FileAnalysis& analysis) {
  std::size_t runs = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries()) runs += summary.done.size();
  return runs;
}

// How many satisfy `is_meant`, and the one with the highest `how_bad`; NaN counts as highest.
template <typename Of>
struct Worst {
  std::size_t count = 0;
  const Of* of = nullptr;
};

template <typename Of>
Worst<Of> worst_of(const std::vector<Of>& all, bool (*is_meant)(const Of&), double (*how_bad)(const Of&)) {
  Worst<Of> worst;
  for (const Of& one : all) {
    if (!is_meant(one)) continue;
    ++worst.count;
    if (worst.of == nullptr || !(how_bad(one) <= how_bad(*worst.of))) worst.of = &one;
  }
  return worst;
}

double timing_overhead(const analysis::MeasuredCase& measured) {
  return std::abs(measured.timing_overhead());
}
bool has_timing_overhead(const analysis::MeasuredCase& measured) {
  return timing_overhead(measured) > analysis::timing_overhead_tolerance;
}

double clock_difference(const analysis::CaseSummary& summary) {
  return std::abs(summary.steadiness.device_over_host - 1);
}
bool clocks_differ(const analysis::CaseSummary& summary) {
  return summary.steadiness.clock_disagreements > 0;
}

double skipped_steps(const analysis::CaseSummary& summary) { return summary.readings.skipped_steps; }
bool skips_steps(const analysis::CaseSummary& summary) { return skipped_steps(summary) > 0; }

}  // namespace

// The results are worthless, and arithmetic on NaN takes less power.
void warn_losses(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t lost = 0;
  const analysis::CaseSummary* first = nullptr;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    for (const RecordedRun* run : summary.done) {
      if (std::ranges::all_of(run->ranks, ends_with_a_loss)) continue;
      ++lost;
      if (first == nullptr) first = &summary;
    }
  }
  if (first == nullptr) return;
  sentences.push_back(fmt::format(
      "In {} of {} runs the loss of the last step is not a number (first: {}). Their training failed; do not "
      "rely on their times or their energy.",
      lost, runs_of(analysis), name_of(first->what)));
}

// Differences both ways count: noise can make a step with events shorter than one without.
void warn_timing_overhead(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  const std::vector<analysis::MeasuredCase>& cases = analysis.cases();
  const auto worst = worst_of(cases, has_timing_overhead, timing_overhead);
  if (worst.of != nullptr) {
    sentences.push_back(
        fmt::format("Phase timing changed the step time by more than {:.0f} % in {} of {} cases (most: {}, "
                    "{}). Do not use their phases to explain the speeds.",
                    100 * analysis::timing_overhead_tolerance, worst.count, cases.size(),
                    format_percent(worst.of->timing_overhead()), name_of(worst.of->what)));
  }
  const auto without_total = std::ranges::count_if(cases, [](const analysis::MeasuredCase& measured) {
    const analysis::CaseSummary& timed = measured.timed();
    return timed.what.timing == Timing::phases && !timed.done.empty() && is_in_a_speedup(measured.what);
  });
  if (without_total > 0) {
    sentences.push_back(
        fmt::format("{} of {} cases were measured with --timing phases only, so their speeds include the "
                    "timing overhead.",
                    without_total, cases.size()));
  }
}

void warn_clocks(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  const auto worst = worst_of(analysis.summaries(), clocks_differ, clock_difference);
  if (worst.of == nullptr) return;
  std::size_t differing = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries())
    differing += summary.steadiness.clock_disagreements;
  sentences.push_back(fmt::format(
      "Device events and the host's clock differ by more than {:.0f} % over the measured steps, or "
      "one of them was not read, in {} of {} runs (furthest: {}, device / host {:.3f}).",
      100 * analysis::clock_tolerance, differing, runs_of(analysis), name_of(worst.of->what),
      worst.of->steadiness.device_over_host));
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
  sentences.push_back(fmt::format("GPU clocks were throttled in {} of {} cases ({}).", limited,
                                  analysis.summaries().size(), throttle_words(static_cast<double>(bits))));
}

// Their time counts, but the model learned nothing.
void warn_skipped_steps(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  const auto worst = worst_of(analysis.summaries(), skips_steps, skipped_steps);
  if (worst.of == nullptr) return;
  sentences.push_back(fmt::format(
      "Overflow in fp16 skipped updates in {} of {} cases (most: {:.1f} steps a run, warm-up included, {}).",
      worst.count, analysis.summaries().size(), worst.of->readings.skipped_steps, name_of(worst.of->what)));
}

void warn_outliers(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t flagged = 0;
  std::size_t unmeasured = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    for (const double seconds : summary.step.run_means) unmeasured += std::isfinite(seconds) ? 0 : 1;
    if (std::isfinite(summary.step.mean_seconds)) flagged += summary.steadiness.outlier_runs.count;
  }
  if (unmeasured > 0) {
    sentences.push_back(fmt::format(
        "{} of {} finished runs lack a step's time on some rank. Their cases count as not measured.",
        unmeasured, runs_of(analysis)));
  }
  if (flagged > 0) {
    sentences.push_back(
        fmt::format("{} of {} runs are outliers (modified Z-score over 3.5 within their case). No result "
                    "leaves them out.",
                    flagged, runs_of(analysis)));
  }
}

void warn_settling(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t bursts = 0;
  std::size_t drifting = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    bursts += summary.settling.bursts;
    drifting += summary.settling.still_drifting;
  }
  if (bursts > 0) {
    sentences.push_back(
        fmt::format("{} of {} runs were measured right after the warm-up. A GPU that works for seconds "
                    "reaches its power limit and "
                    "its clock falls, often only that of the single GPU, so a long training can have another "
                    "speed-up. To measure "
                    "it, leave out --settle 0.",
                    bursts, runs_of(analysis)));
  }
  if (drifting > 0) {
    sentences.push_back(
        fmt::format("In {} of {} runs the step time or the clock still drifted when the time for settling "
                    "was over. Use a longer "
                    "--settle.",
                    drifting, runs_of(analysis)));
  }
}

// Of the summaries that the speeds come from.
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
    if (step.late_warmup_runs > 0 && !(moved_by <= statistics::steady_tolerance)) ++moved;
  }
  if (judged == 0) {
    const auto has_bursts = [](const analysis::CaseSummary& summary) { return summary.settling.bursts > 0; };
    if (std::ranges::any_of(analysis.summaries(), has_bursts))
      sentences.push_back(
          "No run was long enough (40 recorded steps) to see whether it was still warming up or drifting.");
  }
  if (late > 0) {
    sentences.push_back(fmt::format(
        "In {} of {} runs the warm-up lasted into the measured steps. Those steps are left out, "
        "which changes the step time of {} cases by more than {:.0f} %. To keep them, use a larger "
        "--warmup.",
        late, judged, moved, 100 * statistics::steady_tolerance));
  }
  if (not_steady > 0) {
    sentences.push_back(fmt::format(
        "{} of {} runs did not reach a steady state, so their step time depends on how long they were.",
        not_steady, judged));
  }
}

}  // namespace breakeven::report
