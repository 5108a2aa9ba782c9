// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/readings.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "src/analysis/case_summary.h"
#include "src/core/as_whole.h"
#include "src/core/strategy/case_strategy.h"
#include "src/statistics/sample.h"

namespace breakeven::analysis {
namespace {

using Field = std::function<double(const RunRecord&)>;

std::vector<double> of_all_ranks(const CaseSummary& summary, const Field& field) {
  std::vector<double> values;
  for (const RecordedRun* run : summary.done) {
    for (const RunRecord& rank : run->ranks) values.push_back(field(rank));
  }
  return values;
}

double mean_of(const CaseSummary& summary, const Field& field) {
  return statistics::mean(of_all_ranks(summary, field));
}
double sum_of(const CaseSummary& summary, const Field& field) {
  return statistics::sum(of_all_ranks(summary, field));
}
double highest_of(const CaseSummary& summary, const Field& field) {
  return statistics::highest(of_all_ranks(summary, field));
}

// Of each run the highest over its ranks; of these the mean.
double mean_of_highest(const CaseSummary& summary, const Field& field) {
  std::vector<double> values;
  for (const RecordedRun* run : summary.done) {
    std::vector<double> over_ranks;
    for (const RunRecord& rank : run->ranks) over_ranks.push_back(field(rank));
    values.push_back(statistics::highest(over_ranks));
  }
  return statistics::mean(values);
}

double all_throttle_bits(const CaseSummary& summary) {
  const std::vector<double> masks =
      of_all_ranks(summary, [](const RunRecord& rank) { return rank.telemetry.throttle_reasons; });
  if (masks.empty() || !statistics::all_finite(masks)) return not_measured;
  std::uint64_t bits = 0;
  for (const double mask : masks) bits |= as_whole<std::uint64_t>(mask);
  return static_cast<double>(bits);
}

bool clocks_agree(const RunRecord& rank) {
  return std::abs(rank.steps_device_seconds / rank.steps_host_seconds - 1) <= clock_tolerance;  // NaN: no
}

struct Sums {
  double joules = 0;
  double samples = 0;
  double a_sample() const { return joules / samples; }
  void add(const Sums& other) {
    joules += other.joules;
    samples += other.samples;
  }
};

double joules_of(const RecordedRun& run) {
  double joules = 0;
  for (const RunRecord& rank : run.ranks) joules += rank.telemetry.energy_joules;
  return joules;
}

}  // namespace

EnergyOfSample summarize_energy(const std::vector<const RecordedRun*>& done, double samples_a_step) {
  std::vector<std::uint32_t> launches;
  std::vector<Sums> runs;
  Sums all;
  for (const RecordedRun* run : done) {
    const Sums of_run{joules_of(*run), static_cast<double>(trained_steps(*run)) * samples_a_step};
    if (!std::isfinite(of_run.joules) || !(of_run.samples > 0)) continue;
    launches.push_back(run->launch);
    runs.push_back(of_run);
    all.add(of_run);
  }
  const bool by_launch = statistics::unit_of(launches) == statistics::SamplingUnit::launch;
  std::map<std::size_t, Sums> units;
  for (std::size_t i = 0; i < runs.size(); ++i) units[by_launch ? launches[i] : i].add(runs[i]);
  std::vector<double> means;
  for (const auto& [place, unit] : units) means.push_back(unit.a_sample());
  EnergyOfSample energy{statistics::positive(statistics::mean_interval(means)), runs.size()};
  energy.joules.centre = all.a_sample();
  return energy;
}

double reduced(const std::vector<const RecordedRun*>& runs, std::vector<double> RunRecord::*values,
               hdf5::Reduction reduction, std::size_t rank) {
  const bool is_final = reduction == hdf5::Reduction::final_sum;
  std::vector<double> all;  // of every step, or the final sum of every run
  for (const RecordedRun* run : runs) {
    const std::uint32_t steps = steps_made(*run);
    double sum = steps == 0 || run->ranks.empty() ? not_measured : 0;
    for (std::size_t i = 0; i < run->ranks.size(); ++i) {
      if (rank != all_ranks && rank != i) continue;
      const std::vector<double>& of_steps = run->ranks[i].*values;
      if (is_final && steps > 0) sum += of_steps[steps - 1];
      if (!is_final) all.insert(all.end(), of_steps.begin(), of_steps.begin() + steps);
    }
    if (is_final) all.push_back(sum);
  }
  return reduction == hdf5::Reduction::highest ? statistics::highest(all) : statistics::mean(all);
}

Readings summarize_readings(const CaseSummary& summary) {
  using R = const RunRecord&;
  return {
      .peak_memory_bytes = highest_of(summary, [](R rank) { return rank.peak_memory_bytes; }),
      .predicted_memory_bytes = highest_of(summary, [](R rank) { return rank.predicted_memory_bytes; }),
      .rows_memory_bytes = highest_of(summary, [](R rank) { return rank.rows_memory_bytes; }),
      .device_memory_bytes = highest_of(summary, [](R rank) { return rank.telemetry.device_memory_bytes; }),
      .utilization_percent = mean_of(summary, [](R rank) { return rank.telemetry.utilization_percent; }),
      .lowest_utilization_percent =
          -mean_of_highest(summary, [](R rank) { return -rank.telemetry.utilization_percent; }),
      .busy_fraction = mean_of(summary, [](R rank) { return rank.busy_fraction; }),
      .sm_clock_hz = mean_of(summary, [](R rank) { return rank.telemetry.sm_clock_hz; }),
      .temperature_celsius = highest_of(summary, [](R rank) { return rank.telemetry.temperature_celsius; }),
      .power_watts = mean_of(summary, [](R rank) { return rank.telemetry.power_watts; }),
      .energy = summarize_energy(summary.done, samples_a_step(summary.what)),
      .throttle_reasons = all_throttle_bits(summary),
      .setup_seconds = mean_of_highest(summary, [](R rank) { return rank.setup_seconds; }),
      .first_step_seconds = mean_of_highest(summary, [](R rank) { return rank.first_step_seconds; }),
      .exchange_bytes = mean_of(summary, [](R rank) { return rank.exchange_bytes; }),
      .exchange_calls = mean_of(summary, [](R rank) { return rank.exchange_calls; }),
      .test_accuracy = mean_of_highest(summary, [](R rank) { return rank.test_accuracy; }),
      .skipped_steps = mean_of_highest(summary, [](R rank) { return rank.skipped_steps; }),
  };
}

Settling summarize_settling(const CaseSummary& summary) {
  Settling settling;
  for (const RecordedRun* run : summary.done) {
    const std::vector<RunRecord>& ranks = run->ranks;
    const auto still_drifts = [](const RunRecord& rank) {
      return rank.settle_end == static_cast<double>(SettleEnd::time_limit);
    };
    const auto is_short = [](const RunRecord& rank) {
      return rank.steps_host_seconds < longest_burst_seconds;
    };
    const bool is_unsettled = !std::ranges::all_of(ranks, has_settled);
    const bool drifted = std::ranges::any_of(ranks, still_drifts);
    settling.unsettled += is_unsettled ? 1 : 0;
    settling.bursts += is_unsettled && std::ranges::all_of(ranks, is_short) ? 1 : 0;
    settling.still_drifting += drifted ? 1 : 0;
    settling.settled += !is_unsettled && !drifted ? 1 : 0;
  }
  settling.seconds = mean_of(summary, [](const RunRecord& rank) { return rank.settle_seconds; });
  settling.measured_seconds = mean_of(summary, [](const RunRecord& rank) { return rank.steps_host_seconds; });
  settling.steps_apart =
      mean_of(summary, [](const RunRecord& rank) { return static_cast<double>(steps_apart(rank)); });
  return settling;
}

Steadiness summarize_steadiness(const CaseSummary& summary) {
  const double host = sum_of(summary, [](const RunRecord& rank) { return rank.steps_host_seconds; });
  const double device = sum_of(summary, [](const RunRecord& rank) { return rank.steps_device_seconds; });
  Steadiness steadiness;
  steadiness.launch_seconds =
      (host - device) / (static_cast<double>(summary.trained_steps) * summary.what.gpus);
  steadiness.device_over_host = device / host;
  double slow_all = 0;
  double slow_some = 0;
  for (const RecordedRun* run : summary.done) {
    if (!std::all_of(run->ranks.begin(), run->ranks.end(), clocks_agree)) ++steadiness.clock_disagreements;
    const SlowSteps slow = find_slow_steps(*run);
    slow_all += slow.all_ranks_share * steps_made(*run);
    slow_some += slow.some_ranks_share * steps_made(*run);
  }
  steadiness.slow_all_ranks_share = slow_all / static_cast<double>(summary.steps);
  steadiness.slow_some_ranks_share = slow_some / static_cast<double>(summary.steps);
  steadiness.outlier_runs = find_outlier_runs(summary.done, summary.step.run_means);
  return steadiness;
}

double connect_seconds(const CaseSummary& summary, const Results& results) {
  const auto transport = place_of(summary.what.transport.known().value_or(Transport::none));
  if (!transport || summary.what.gpus < smallest_group) return not_measured;
  double sum = 0;
  for (const RecordedRun* run : summary.done) {
    const MessageTimes& times = results.launches[run->launch].message_times;
    if (summary.what.gpus > times.largest_group) return not_measured;
    sum += times.connect_seconds[times.place_of(*transport, summary.what.gpus)];
  }
  return sum / static_cast<double>(summary.done.size());
}

double start_up_seconds(const CaseSummary& summary, const Results& results) {
  const double connecting = connect_seconds(summary, results);
  return (std::isnan(connecting) ? 0 : connecting) + summary.readings.setup_seconds +
         summary.readings.first_step_seconds;
}

}  // namespace breakeven::analysis
