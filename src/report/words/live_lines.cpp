// SPDX-License-Identifier: Apache-2.0
#include "src/report/words/live_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "src/core/text/lists.h"
#include "src/report/format/declared_table.h"
#include "src/report/format/numbers.h"

namespace breakeven::report {
namespace {

const DeclaredTable declared_lines{
    {.command = "run",
     .title = "While it measures",
     .page = "measuring.md#progress-display",
     .columns = {words("", "run N of N", "number of the run, and of all planned runs"),
                 words("", "T left", "expected time of the remaining runs").elsewhere(),
                 words("", "T per step (last N runs)", "mean step of the case's last runs").elsewhere(),
                 words("", "exchange P", "of the step, in the last run with `phases`").elsewhere(),
                 words("", "first run of this case", "no earlier run of the case").elsewhere(),
                 words("", "utilization", "GPU utilization by NVML, in %").elsewhere(),
                 words("", "W", "power of a GPU").elsewhere(),
                 words("", "°C", "temperature of a GPU").elsewhere(),
                 words("", "N runs in T", "all runs made, and their time"),
                 words("", "results: FILE", "the results file")}}};

struct Reading {
  double Telemetry::*value;
  std::string_view before;
  std::string_view unit;
};
constexpr std::array readings{Reading{&Telemetry::utilization_percent, "utilization ", " %"},
                              Reading{&Telemetry::power_watts, "", " W"},
                              Reading{&Telemetry::temperature_celsius, "", " °C"}};

// The readings of these ranks together: "utilization 53–97 %, 412 W". Unknown readings are left out.
std::string readings_of(std::span<const Telemetry> ranks) {
  std::vector<std::string> parts;
  for (const Reading& reading : readings) {
    double lowest = not_measured;
    double highest = not_measured;
    for (const Telemetry& rank : ranks) {
      lowest = std::fmin(lowest, rank.*reading.value);
      highest = std::fmax(highest, rank.*reading.value);
    }
    if (std::isnan(lowest)) continue;
    std::string number = fmt::format("{:.0f}", lowest);
    if (const std::string other = fmt::format("{:.0f}", highest); other != number) number += "–" + other;
    parts.push_back(fmt::format("{}{}{}", reading.before, number, reading.unit));
  }
  return join_list(parts);
}

std::string place(const LiveStatus& status) {
  const std::string_view at_most = status.at_most ? "at most " : "";
  const std::string left = std::isnan(status.seconds_left)
                               ? ""
                               : fmt::format(", {}{} left", at_most, format_time_left(status.seconds_left));
  return fmt::format("run {} of {}{}", format_count(status.run + 1), format_count(status.runs), left);
}

// Step time and exchange of the case's earlier runs; "" if there are none.
std::string speed(const LiveStatus& status) {
  std::vector<std::string> parts;
  if (status.step_runs > 0)
    parts.push_back(fmt::format("{} per step (last {})", format_seconds(status.step_seconds),
                                status.step_runs == 1 ? "run" : fmt::format("{} runs", status.step_runs)));
  if (!std::isnan(status.exchange_share))
    parts.push_back(fmt::format("exchange {}", format_percent(status.exchange_share)));
  return join_list(parts);
}

}  // namespace

std::vector<std::string> live_lines(const LiveStatus& status, std::size_t most_ranks) {
  std::vector<std::string> lines{place(status), status.label};
  const std::string known = speed(status);
  lines.push_back(known.empty() ? "first run of this case" : known);
  const std::string all = readings_of(status.ranks);
  if (all.empty()) return lines;
  if (status.ranks.size() > most_ranks) {
    lines.push_back(fmt::format("{} ranks: {}", status.ranks.size(), all));
    return lines;
  }
  for (std::size_t rank = 0; rank < status.ranks.size(); ++rank) {
    const std::string own = readings_of(std::span(status.ranks).subspan(rank, 1));
    lines.push_back(fmt::format("rank {}: {}", rank, own.empty() ? std::string(dash) : own));
  }
  return lines;
}

std::string live_log_line(const LiveStatus& status) {
  std::string line = fmt::format("{}: {}", place(status), status.label);
  for (const std::string& more : {speed(status), readings_of(status.ranks)}) {
    if (!more.empty()) line += "; " + more;
  }
  return line;
}

}  // namespace breakeven::report
