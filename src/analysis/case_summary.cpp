// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/case_summary.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "src/core/axes.h"
#include "src/core/strategy/case_strategy.h"
#include "src/statistics/sample.h"

namespace breakeven::analysis {
namespace {

// Sums first, one division at the end: runs of different length weigh as many steps as they have.
PhaseTimes summarize_phases(const CaseSummary& summary) {
  const auto ranks = static_cast<std::size_t>(std::max(summary.what.gpus, 0));
  PhaseTimes times;
  times.by_rank.assign(ranks, PhaseSeconds{});
  for (const RecordedRun* run : summary.done) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      for (std::size_t cell = 0; cell < steps_made(*run) * phase_count; ++cell) {
        times.by_rank[rank][cell % phase_count] +=
            rank < run->ranks.size() ? run->ranks[rank].seconds[cell] : not_measured;
      }
    }
  }
  times.mean.fill(0);
  for (std::size_t phase = 0; phase < phase_count; ++phase) {
    for (PhaseSeconds& seconds : times.by_rank) {
      seconds[phase] /= static_cast<double>(summary.steps);  // 0 / 0, hence NaN, where nothing is done
      times.mean[phase] += seconds[phase] / static_cast<double>(ranks);
    }
  }
  return times;
}

TimeToQuality summarize_quality(const CaseSummary& summary) {
  TimeToQuality quality;
  std::vector<double> steps;
  std::vector<double> samples;
  std::vector<std::uint32_t> launches;
  double evaluating = 0;
  double training = 0;
  for (std::size_t i = 0; i < summary.done.size(); ++i) {
    const RecordedRun& run = *summary.done[i];
    launches.push_back(run.launch);
    steps.push_back(steps_to_quality(run));
    samples.push_back(steps.back() * samples_a_step(summary.what));
    quality.run_seconds.push_back(steps.back() * statistics::mean(summary.step.runs[i].seconds));
    if (std::isfinite(steps.back())) ++quality.reached_runs;
    for (const RunRecord& rank : run.ranks) {
      evaluating += rank.eval_seconds;
      training += rank.steps_host_seconds;
    }
  }
  const auto over_runs = [&](std::span<const double> values) {
    return statistics::positive(statistics::mean_interval(values, launches));
  };
  quality.steps = over_runs(steps);
  quality.samples = over_runs(samples);
  quality.seconds = over_runs(quality.run_seconds);
  quality.eval_share = evaluating / training;
  return quality;
}

// [case]; `runs` are the planned ones of each.
std::vector<NumberFault> faults_of(const std::vector<Case>& cases,
                                   const std::vector<std::vector<const RecordedRun*>>& runs,
                                   const Results& results) {
  std::vector<NumberFault> faults;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<const RecordedRun*> done;
    std::ranges::copy_if(runs[i], std::back_inserter(done), [](auto* run) { return is_done(*run); });
    faults.push_back(fault_of(cases[i], done, results));
  }
  const std::vector<NumberFault> own = faults;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (std::size_t other = 0; other < cases.size(); ++other) {
      if (faults[i] == NumberFault::none && own[other] != NumberFault::none &&
          are_alike_but_for(cases[i], cases[other], {Axis::timing}))
        faults[i] = own[other];
    }
  }
  return faults;
}

}  // namespace

bool is_done(const CaseSummary* summary) { return summary != nullptr && !summary->done.empty(); }

CaseSummary summarize_case(const Case& what, const std::vector<const RecordedRun*>& planned,
                           NumberFault fault) {
  CaseSummary summary;
  summary.what = what;
  summary.fault = fault;
  summary.planned = planned;
  for (const RecordedRun* run : planned) {
    summary.parameters = run->parameters;
    if (!is_done(*run) || fault != NumberFault::none) continue;
    summary.done.push_back(run);
    summary.steps += steps_made(*run);
    summary.trained_steps += trained_steps(*run);
  }
  summary.step = summarize_steps(summary.done, samples_a_step(what));
  summary.phases = summarize_phases(summary);
  summary.quality = summarize_quality(summary);
  summary.readings = summarize_readings(summary);
  summary.settling = summarize_settling(summary);
  summary.steadiness = summarize_steadiness(summary);
  return summary;
}

std::vector<CaseSummary> summarize_cases(const Results& results) {
  std::vector<Case> cases;
  std::vector<std::vector<const RecordedRun*>> runs;
  for (const RecordedRun& run : results.runs) {
    const auto found = std::find(cases.begin(), cases.end(), run.planned.what);
    const auto place = static_cast<std::size_t>(found - cases.begin());
    if (found == cases.end()) {
      cases.push_back(run.planned.what);
      runs.emplace_back();
    }
    runs[place].push_back(&run);
  }
  const std::vector<NumberFault> faults = faults_of(cases, runs, results);
  std::vector<CaseSummary> summaries;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    summaries.push_back(summarize_case(cases[i], runs[i], faults[i]));
    summaries.back().short_runs = find_short_runs(summaries.back().done, results.launches);
  }
  return summaries;
}

}  // namespace breakeven::analysis
