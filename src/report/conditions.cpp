// SPDX-License-Identifier: Apache-2.0
#include "src/report/conditions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include <fmt/format.h>

#include "src/report/numbers.h"
#include "src/report/throttle.h"

namespace breakeven::report {
namespace {

// A GPU that works for longer is on its way to its power limit.
constexpr double burst_seconds = 0.5;

// Clocks that differ by less decide no speed-up.
constexpr double clock_difference = 0.01;

std::string in_megahertz(double clock_hz) { return fmt::format("{:.0f} MHz", clock_hz * 1e-6); }

std::string clock_and_power(const analysis::Readings& readings) {
  const std::string clock = in_megahertz(readings.sm_clock_hz);
  return std::isfinite(readings.power_watts) ? fmt::format("{}, {:.0f} W", clock, readings.power_watts)
                                             : clock;
}

std::string range_of(const std::vector<double>& seconds) {
  const auto [least, most] = std::ranges::minmax(seconds);
  const std::string first = format_seconds(least), last = format_seconds(most);
  return first == last ? first : fmt::format("{} to {}", first, last);
}

// What both sides of all cases have in common, and how many of their runs have not.
struct Durations {
  std::size_t runs = 0, bursts = 0, drifting = 0;
  std::set<std::uint32_t> launches;
  std::vector<double> settled, measured;

  void add(const analysis::CaseSummary& side) {
    runs += side.done.size();
    bursts += side.settling.bursts;
    drifting += side.settling.still_drifting;
    for (const RecordedRun* run : side.done) launches.insert(run->launch);
    settled.push_back(side.settling.seconds);
    measured.push_back(side.settling.measured_seconds);
  }
};

std::string duration_in_words(const std::vector<const analysis::CaseResult*>& lines) {
  Durations all;
  for (const analysis::CaseResult* line : lines) {
    for (const analysis::CaseSummary* side : {line->comparison.base_timed, line->comparison.timed})
      if (side != nullptr) all.add(*side);
  }
  if (all.runs == 0) return "";
  const std::string where =
      all.launches.size() == 1 ? "Within one launch" : fmt::format("In {} launches", all.launches.size());
  const std::string measured = range_of(all.measured);
  if (all.bursts == all.runs) {
    const bool is_short = std::ranges::max(all.measured) < burst_seconds;
    return fmt::format("{}, {} {}, right after the warm-up.", where,
                       is_short ? "bursts were measured, for" : "runs were measured for", measured);
  }
  if (all.bursts > 0)
    return fmt::format("{}, {} of {} runs were bursts, right after the warm-up.", where, all.bursts,
                       all.runs);
  const std::string text = fmt::format("{}, runs settled for {} and were measured for {}.", where,
                                       range_of(all.settled), measured);
  return all.drifting == 0 ? text : fmt::format("{} {} of {} still drifted.", text, all.drifting, all.runs);
}

// By how much faster the clock of the case is than that of its baseline, which the power limit lowers;
// else 1.
double clock_advantage(const analysis::CaseResult& line) {
  if (line.comparison.base_timed == nullptr || line.comparison.timed == nullptr) return 1;
  const analysis::Readings& base = line.comparison.base_timed->readings;
  const double advantage = line.comparison.timed->readings.sm_clock_hz / base.sm_clock_hz;
  return is_power_capped(base.throttle_reasons) && advantage > 1 + clock_difference ? advantage : 1;
}

// At equal clocks one GPU's step would be shorter by the ratio of the clocks at most.
std::string power_in_words(const analysis::CaseResult& line) {
  const double advantage = clock_advantage(line);
  if (advantage == 1) return "";
  return fmt::format(
      "At batch {} the power limit holds one GPU at {}; each of {} runs at {}. At equal clocks the speed-up "
      "would be "
      "{} at least, instead of {}.",
      line.measured->what.batch, clock_and_power(line.comparison.base_timed->readings),
      line.measured->what.gpus, clock_and_power(line.comparison.timed->readings),
      format_ratio(line.comparison.speedup.ratio.centre / advantage),
      format_ratio(line.comparison.speedup.ratio.centre));
}

}  // namespace

std::string conditions_in_words(const std::vector<const analysis::CaseResult*>& lines) {
  const auto worst = std::ranges::max_element(
      lines, {}, [](const analysis::CaseResult* line) { return clock_advantage(*line); });
  const std::string duration = duration_in_words(lines);
  const std::string power = worst == lines.end() ? "" : power_in_words(**worst);
  return power.empty() ? duration : duration + " " + power;
}

}  // namespace breakeven::report
