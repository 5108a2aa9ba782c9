// SPDX-License-Identifier: Apache-2.0
// In how many launches, how long, how steady, at which clock and power both sides of a speed-up were
// measured.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"
#include "src/report/warnings/throttle.h"
#include "src/report/words/interval_scopes.h"
#include "src/report/words/settling_words.h"

namespace breakeven::report {
namespace {

// Clocks that differ by less decide no speed-up.
constexpr double clock_tolerance = 0.01;

std::string in_megahertz(double clock_hz) { return fmt::format("{:.0f} MHz", clock_hz * 1e-6); }

std::string clock_and_power(const analysis::Readings& readings) {
  const std::string clock = in_megahertz(readings.sm_clock_hz);
  return std::isfinite(readings.power_watts) ? fmt::format("{}, {:.0f} W", clock, readings.power_watts)
                                             : clock;
}

// "" where none was recorded.
std::string shortest_to_longest(std::vector<double> seconds, std::string_view before) {
  std::erase_if(seconds, [](double one) { return !std::isfinite(one); });
  if (seconds.empty()) return "";
  const auto [least, most] = std::ranges::minmax(seconds);
  return std::string(before) + from_to_words(format_seconds(least), format_seconds(most));
}

// The durations of both sides of all cases.
struct Durations {
  SettledRuns of;
  std::vector<double> settled, measured;

  void add(const analysis::CaseSummary& side) {
    of.add(side);
    settled.push_back(side.settling.seconds);
    measured.push_back(side.settling.measured_seconds);
  }
};

std::string duration_in_words(const std::vector<const analysis::CaseResult*>& lines) {
  Durations all;
  for (const analysis::CaseSummary* side : both_sides(lines)) all.add(*side);
  const std::size_t runs = all.of.runs;
  if (runs == 0) return "";
  if (all.of.are_bursts())
    return fmt::format("Bursts were measured right after the warm-up{}.",
                       shortest_to_longest(all.measured, ", for "));
  if (all.of.are_unsettled())
    return fmt::format("Runs that did not settle were measured{}.",
                       shortest_to_longest(all.measured, " for "));
  if (all.of.unsettled > 0) return fmt::format("{} of {} runs did not settle.", all.of.unsettled, runs);
  std::string text = fmt::format("Settling took{}{}.", shortest_to_longest(all.settled, " "),
                                 shortest_to_longest(all.measured, ", measuring "));
  const auto& [drifting, not_steady] = std::pair(all.of.drifting, all.of.not_steady);
  std::vector<std::string> faults;
  if (drifting > 0) faults.push_back(fmt::format("{} still drifted", drifting));
  if (not_steady > 0) faults.push_back(fmt::format("{} not steady", not_steady));
  if (!faults.empty()) text += fmt::format(" Of {}, {}.", runs, fmt::join(faults, ", "));
  return text;
}

// By how much faster the clock of the case is than that of its baseline, which the power limit lowers;
// else 1.
double clock_advantage(const analysis::CaseResult& line) {
  if (line.comparison.base_timed == nullptr || line.comparison.timed == nullptr) return 1;
  const analysis::Readings& base = line.comparison.base_timed->readings;
  const double advantage = line.comparison.timed->readings.sm_clock_hz / base.sm_clock_hz;
  return is_power_capped(base.throttle_reasons) && advantage > 1 + clock_tolerance ? advantage : 1;
}

// At equal clocks one GPU's step would be shorter by the ratio of the clocks at most, or as long as now. So
// the measured speed-up is the upper bound. Clocks are single readings, so the lower one has no interval.
std::string power_in_words(const analysis::CaseResult& line) {
  const double advantage = clock_advantage(line);
  if (advantage == 1) return "";
  const double now = line.comparison.speedup.ratio.centre;
  const std::string clocks =
      fmt::format("At batch {} the power limit holds one GPU at {} (each of {}: {}).",
                  batch_in_words(line.measured->what), clock_and_power(line.comparison.base_timed->readings),
                  line.measured->what.gpus, clock_and_power(line.comparison.timed->readings));
  if (now <= 1) return clocks;  // more GPUs are slower, whatever the clocks
  return fmt::format("{} At equal clocks, {} would be at least about {}.", clocks, format_ratio(now),
                     format_ratio(now / advantage));
}

}  // namespace

std::string conditions_in_words(const std::vector<const analysis::CaseResult*>& lines) {
  const auto worst = std::ranges::max_element(
      lines, {}, [](const analysis::CaseResult* line) { return clock_advantage(*line); });
  const std::string scopes = scopes_of_speedups(lines);
  std::string text = scopes.empty() ? "" : fmt::format("95 % intervals: {}.", scopes);
  for (const std::string& more :
       {duration_in_words(lines), worst == lines.end() ? "" : power_in_words(**worst)})
    if (!more.empty()) text += (text.empty() ? "" : " ") + more;
  return text;
}

}  // namespace breakeven::report
