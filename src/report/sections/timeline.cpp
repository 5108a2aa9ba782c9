// SPDX-License-Identifier: Apache-2.0
// Two steps side by side, phase by phase, as bars.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "src/core/as_whole.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"

namespace breakeven::report {
namespace {

constexpr std::size_t title_columns = 28;  // "├── Synchronization (wait)" and a gap
constexpr std::size_t number_columns = 8;  // "12.3 µs"
constexpr std::size_t bar_columns = 28;
constexpr std::size_t half_columns = number_columns + 1 + bar_columns + 2;

// Full blocks, and a last one in eighths. Anything that took time shows at least an eighth.
std::string bar(double seconds, double longest) {
  constexpr std::array<std::string_view, 8> parts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(seconds > 0) || !(longest > 0)) return "";
  constexpr double whole = 8.0 * bar_columns;
  const double part = std::min(whole, seconds / longest * whole);  // times of a damaged file may be infinite
  const auto eighths = std::max<std::size_t>(1, as_whole<std::size_t>(std::round(part)));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + std::string(parts[eighths % 8]);
}

bool took_time(const analysis::PhaseSeconds& seconds, Phase phase) {
  const double value = seconds[index_of(phase)];
  return !(value == 0);  // NaN is shown, as not measured
}

std::string half(const analysis::PhaseSeconds& seconds, Phase phase, double longest) {
  const double value = seconds[index_of(phase)];
  const std::string number = value == 0 ? std::string() : format_seconds(value);
  return fmt::format("{:<{}}", fmt::format("{:>{}} {}", number, number_columns, bar(value, longest)),
                     half_columns);
}

double longest_phase(const analysis::PhaseSeconds& one, const analysis::PhaseSeconds& other) {
  double longest = 0;
  for (const Phase phase : phases_in_time_order) {
    for (const double seconds : {one[index_of(phase)], other[index_of(phase)]}) {
      if (seconds > longest) longest = seconds;
    }
  }
  return longest;
}

// "ddp on 2: 341 µs (timed: 338 µs)": by phase timing, and in brackets without it, where measured.
std::string side_title(const std::string& name, const analysis::MeasuredCase& measured) {
  std::string text =
      fmt::format(" {}: {}", name, format_seconds(measured.phases->phases.mean[index_of(Phase::step)]));
  if (&measured.timed() != measured.phases) {
    text += fmt::format(" (timed: {})", format_seconds(measured.timed().step.mean_seconds));
  }
  return fmt::format("{:<{}}", text, half_columns);
}

std::string header(const analysis::CaseResult& line, const analysis::Group& group) {
  const Case& what = line.measured->what;
  const analysis::MeasuredCase& base = *line.comparison.base;
  std::string one = "single on 1";
  if (base.what.batch != what.batch) one += fmt::format(", batch {}", base.what.batch);
  return finished_line(
      fmt::format("{:<{}}", fmt::format("{}, batch {}", what.model, what.batch), title_columns) +
      side_title(one, base) + side_title(strategy_of(what, group), *line.measured));
}

std::string timeline(const analysis::CaseResult& line, const analysis::Group& group) {
  const analysis::PhaseSeconds& one = line.comparison.base->phases->phases.mean;
  const analysis::PhaseSeconds& more = line.measured->phases->phases.mean;
  const double longest = longest_phase(one, more);
  std::vector<PhaseInfo> shown;
  std::ranges::copy_if(phases, std::back_inserter(shown), [&](const PhaseInfo& info) {
    return info.phase != Phase::step && (took_time(one, info.phase) || took_time(more, info.phase));
  });
  std::string text = header(line, group);
  for (const PhaseInfo& info : shown) {
    const std::string_view branch = info.phase == shown.back().phase ? "└── " : "├── ";
    text += finished_line(fmt::format("{:<{}}", fmt::format("{}{}", branch, info.label), title_columns) +
                          half(one, info.phase, longest) + half(more, info.phase, longest));
  }
  return text;
}

bool has_timeline(const analysis::MeasuredCase* measured) {
  return measured != nullptr && analysis::is_done(measured->phases);
}

}  // namespace

std::vector<std::string> timelines(const analysis::Group& group) {
  std::vector<std::string> all;
  for (const analysis::CaseResult& line : group.lines) {
    if (has_timeline(line.measured) && has_timeline(line.comparison.base))
      all.push_back(timeline(line, group));
  }
  return all;
}

}  // namespace breakeven::report
