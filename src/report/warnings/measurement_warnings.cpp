// SPDX-License-Identifier: Apache-2.0
// What a reader must know of how the steps were measured.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/core/as_whole.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/group_words.h"
#include "src/report/warnings/throttle.h"
#include "src/report/warnings/warnings.h"
#include "src/report/words/recorded_by.h"
#include "src/statistics/outliers.h"

namespace breakeven::report {
namespace {

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

double timing_overhead(const analysis::CaseResult& result) {
  return std::abs(result.measured->timing_overhead());
}
bool has_timing_overhead(const analysis::CaseResult& result) { return result.warnings.timing_overhead; }
bool is_by_phases_only(const analysis::CaseResult& result) { return result.warnings.by_phases_only; }

double clock_difference(const analysis::CaseSummary& summary) {
  return std::abs(summary.steadiness.device_over_host - 1);
}
bool clocks_differ(const analysis::CaseSummary& summary) {
  return summary.steadiness.clock_disagreements > 0;
}

constexpr double most_idle_percent = 10;
double idle_percent(const analysis::CaseSummary& summary) {
  return 100 - summary.readings.lowest_utilization_percent;
}
bool leaves_gpus_idle(const analysis::CaseSummary& summary) {
  return summary.settling.unsettled == 0 && idle_percent(summary) > most_idle_percent;
}

double skipped_steps(const analysis::CaseSummary& summary) { return summary.readings.skipped_steps; }
bool skips_steps(const analysis::CaseSummary& summary) { return skipped_steps(summary) > 0; }

}  // namespace

// Arithmetic on NaN also takes less power.
void warn_wrong_numbers(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  for (const analysis::NumberFaultInfo& info : analysis::number_faults) {
    std::vector<std::string> names;
    for (const analysis::CaseSummary& summary : analysis.summaries()) {
      if (summary.fault == info.fault) names.push_back(label_of(summary.what));
    }
    if (names.empty()) continue;
    add_warning(symptom::wrong_numbers,
                fmt::format("In {} of {} cases {}. They have no speed and no energy: {}.", names.size(),
                            analysis.summaries().size(), info.meaning, fmt::join(names, "; ")),
                sentences);
  }
}

// Differences both ways count: noise can make a step with events shorter than one without.
void warn_timing_overhead(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  const std::vector<analysis::CaseResult>& cases = analysis.case_results();
  const auto worst = worst_of(cases, has_timing_overhead, timing_overhead);
  if (worst.of != nullptr) {
    add_warning(
        symptom::timing_overhead,
        fmt::format("Phase timing changed the step time by more than {:.0f} % in {} of {} cases (most: {}, "
                    "{}). Do not use their phases to explain the speeds.",
                    100 * analysis::timing_overhead_tolerance, worst.count, cases.size(),
                    format_percent(worst.of->measured->timing_overhead()),
                    case_in_words(worst.of->measured->what)),
        sentences);
  }
  const auto without_total = std::ranges::count_if(cases, is_by_phases_only);
  if (without_total > 0) {
    add_warning(
        symptom::timing_overhead,
        fmt::format("{} of {} cases were measured with --timing phases only, so their speeds include the "
                    "timing overhead.",
                    without_total, cases.size()),
        sentences);
  }
}

void warn_clocks(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  const auto worst = worst_of(analysis.summaries(), clocks_differ, clock_difference);
  if (worst.of == nullptr) return;
  std::size_t differing = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries())
    differing += summary.steadiness.clock_disagreements;
  add_warning(
      symptom::clocks,
      fmt::format(
          "Device events and the host's clock differ by more than {:.0f} % over the measured steps, or "
          "one of them was not read, in {} of {} runs (for example {}).",
          100 * analysis::clock_tolerance, differing, runs_of(analysis), case_in_words(worst.of->what)),
      sentences);
}

void warn_throttling(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t limited = 0;
  std::uint64_t bits = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    const double mask = summary.readings.throttle_reasons;
    if (!is_throttled(mask)) continue;
    ++limited;
    bits |= as_whole<std::uint64_t>(mask);
  }
  if (limited == 0) return;
  add_warning(symptom::throttling,
              fmt::format("GPU clocks were throttled in {} of {} cases ({}).", limited,
                          analysis.summaries().size(), throttle_words(static_cast<double>(bits))),
              sentences);
}

// Their time counts, but the model learned nothing.
void warn_skipped_steps(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  const auto worst = worst_of(analysis.summaries(), skips_steps, skipped_steps);
  if (worst.of == nullptr) return;
  add_warning(symptom::overflow,
              fmt::format("Overflow in fp16 skipped updates in {} of {} cases (most: {:.1f} steps a run, "
                          "warm-up included, {}).",
                          worst.count, analysis.summaries().size(), worst.of->readings.skipped_steps,
                          case_in_words(worst.of->what)),
              sentences);
}

void warn_outliers(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t flagged = 0;
  std::size_t judged = 0;
  std::size_t unmeasured = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    for (const double seconds : summary.step.run_means) unmeasured += std::isfinite(seconds) ? 0 : 1;
    const auto& outliers = summary.steadiness.outlier_runs;
    if (!outliers || !std::isfinite(summary.step.mean_seconds)) continue;
    flagged += outliers->count;
    judged += summary.done.size();
  }
  if (unmeasured > 0) {
    add_warning(
        symptom::missing_times,
        fmt::format(
            "{} of {} finished runs lack a step's time on some rank. Their cases count as not measured.",
            unmeasured, runs_of(analysis)),
        sentences);
  }
  if (flagged > 0) {
    add_warning(
        symptom::outliers,
        fmt::format("{} of {} runs in cases of at least {} runs are outliers (modified Z-score over 3.5 "
                    "within their case). No result leaves them out.",
                    flagged, judged, statistics::fewest_for_outliers),
        sentences);
  }
}

// NVML counts the time in which some kernel ran, which may wait for another GPU. Bursts are shorter than its
// window.
void warn_idle_gpus(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  const auto worst = worst_of(analysis.summaries(), leaves_gpus_idle, idle_percent);
  if (worst.of == nullptr) return;
  add_warning(
      symptom::idle_gpus,
      fmt::format(
          "In {} of {} cases no kernel ran on some GPU for over {:.0f} % of the time (most: {:.0f} %, {}). "
          "There the host or the data loader limits the step, not the GPUs.",
          worst.count, analysis.summaries().size(), most_idle_percent, idle_percent(*worst.of),
          case_in_words(worst.of->what)),
      sentences);
}

namespace {

// Whether its arguments set warm-up and settling, not options of a command line.
bool has_recorder(const Results& results) {
  return recorded_by(results) != RecordedBy::run &&
         std::ranges::all_of(results.launches,
                             [](const Launch& one) { return setting_of(one, step_times_setting).empty(); });
}

std::string_view how_to_settle(const Results& results) {
  if (has_recorder(results)) return "leave out settle=0 of the Recorder";
  const auto is_timed_as_a_whole = [](const Launch& one) {
    return setting_of(one, step_times_setting) == by_wall_time;
  };
  return !results.launches.empty() && std::ranges::all_of(results.launches, is_timed_as_a_whole)
             ? "use another source of step times than --total"
             : "leave out --settle 0";
}

std::string_view how_to_warm_up(const Results& results, bool has_settling) {
  if (has_recorder(results))
    return has_settling ? "longer settle of the Recorder" : "larger warmup of the Recorder";
  return has_settling ? "longer --settle" : "larger --warmup";
}

}  // namespace

void warn_settling(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t unsettled = 0;
  std::size_t drifting = 0;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    unsettled += summary.settling.unsettled;
    drifting += summary.settling.still_drifting;
  }
  if (unsettled > 0) {
    add_warning(
        symptom::unsettled,
        fmt::format("{} of {} runs were measured right after the warm-up. A GPU that works for seconds "
                    "reaches its power limit and its clock falls, often only that of the single GPU, so a "
                    "long training can have another speed-up. To measure it, {}.",
                    unsettled, runs_of(analysis), how_to_settle(analysis.results())),
        sentences);
  }
  if (drifting > 0) {
    add_warning(symptom::drift,
                fmt::format("{} of all {} runs of the file still drifted when --settle was over.", drifting,
                            runs_of(analysis)),
                sentences);
  }
}

// Checks the summaries that the speeds come from.
void warn_steadiness(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t judged = 0;
  std::size_t late = 0;
  bool has_settling = true;
  std::size_t not_steady = 0;
  std::size_t moved = 0;
  for (const analysis::CaseResult& result : analysis.case_results()) {
    const analysis::CaseSummary& timed = result.measured->timed();
    judged += timed.step.judged_runs;
    late += timed.step.late_warmup_runs;
    has_settling &= timed.settling.unsettled == 0;
    not_steady += timed.step.not_steady_runs;
    moved += result.warnings.late_warm_up;
  }
  if (judged == 0) {
    const auto is_unsettled = [](const analysis::CaseSummary& summary) {
      return summary.settling.unsettled > 0;
    };
    if (std::ranges::any_of(analysis.summaries(), is_unsettled))
      add_warning(
          symptom::warm_up,
          "No run was long enough (8 recorded steps) to see whether it was still warming up or drifting.",
          sentences);
  }
  if (late > 0) {
    add_warning(
        symptom::warm_up,
        fmt::format("In {} of {} runs the warm-up lasted into the measured steps. Those steps are left out, "
                    "which changes the step time of {} cases by more than {:.0f} %. To keep them, use a {}.",
                    late, judged, moved, 100 * statistics::steady_tolerance,
                    how_to_warm_up(analysis.results(), has_settling)),
        sentences);
  }
  if (not_steady > 0) {
    add_warning(symptom::unsteady,
                fmt::format("{} of {} runs were not steady while they were measured.", not_steady, judged),
                sentences);
  }
}

}  // namespace breakeven::report
