// SPDX-License-Identifier: Apache-2.0
#include "src/measure/steady_windows.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/report/warnings/throttle.h"
#include "src/statistics/sample.h"
#include "src/statistics/steady_state.h"

namespace breakeven::measure {
namespace {

// NVIDIA's clocks are multiples of 15 MHz, and one that a power limit holds goes to and fro between two of
// them: 0.9 % of 1,665 MHz, which no tolerance below it would ever call steady.
constexpr double clock_quantum_hz = 15e6;

constexpr std::size_t few_windows = 2;
constexpr std::size_t windows_near_limit = 4;
constexpr double seconds_near_limit = 1.5;
constexpr double share_near_limit = 0.5;

bool is_near_limit(const Window& window) {
  return window.is_slowed || window.power_share >= share_near_limit;
}

bool is_long_enough(const Window& window) { return window.seconds >= window_seconds; }

double mean_of(std::span<const Window> windows, double Window::*value) {
  std::vector<double> values;
  for (const Window& window : windows) values.push_back(window.*value);
  return statistics::mean(values);
}

bool agree(double a, double b, double tolerance) { return std::abs(a / b - 1) <= tolerance; }

// Where no clock can be read, the step times alone decide.
bool halves_agree(std::span<const Window> windows, double tolerance) {
  const auto first = windows.first(windows.size() / 2), second = windows.subspan(windows.size() / 2);
  const double clock = mean_of(first, &Window::clock_hz), clock_after = mean_of(second, &Window::clock_hz);
  const bool has_clock = std::isfinite(clock) && std::isfinite(clock_after);
  return agree(mean_of(first, &Window::step_seconds), mean_of(second, &Window::step_seconds), tolerance) &&
         (!has_clock || agree(clock, clock_after, tolerance + clock_quantum_hz / clock_after));
}

bool are_level(std::span<const Window> windows, double tolerance) {
  const auto [least, most] = std::ranges::minmax(windows, {}, &Window::step_seconds);
  return agree(most.step_seconds, least.step_seconds, tolerance);
}

}  // namespace

Window window_of(double seconds, double step_seconds, const GpuReading& reading) {
  const double watts =
      std::isfinite(reading.instant_power_watts) ? reading.instant_power_watts : reading.power_watts;
  return {.seconds = seconds,
          .step_seconds = step_seconds,
          .clock_hz = reading.sm_clock_hz,
          .power_share = watts / reading.power_limit_watts,
          .is_slowed = report::is_throttled(reading.throttle_reasons)};
}

bool are_steady(std::span<const Window> windows, double tolerance) {
  const auto recent = windows.last(std::min(windows.size(), windows_near_limit));
  const bool near_limit = std::ranges::any_of(recent, is_near_limit);
  const std::size_t count = near_limit ? windows_near_limit : few_windows;
  if (windows.size() < count) return false;
  const auto last = windows.last(count);
  if (!std::ranges::all_of(last, is_long_enough) || !halves_agree(last, tolerance)) return false;
  double seconds = 0;
  for (const Window& window : windows) seconds += window.seconds;
  return !near_limit ||
         (seconds >= seconds_near_limit && are_level(last, std::max(statistics::largest_drift, tolerance)));
}

}  // namespace breakeven::measure
