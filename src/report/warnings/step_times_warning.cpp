// SPDX-License-Identifier: Apache-2.0
// Where the step times come from.
#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "src/report/warnings/warnings.h"
#include "src/report/words/recorded_by.h"

namespace breakeven::report {
namespace {

// `breakeven wrap` says where the times of a program come from that it did not time itself
// (docs/own-loop.md).
struct StepTimes {
  std::string_view source;  // step_times_setting of a launch
  std::string_view way;
  std::string_view caveat{};  // no warning if empty
};
constexpr std::string_view as_printed =
    "The step times are as the program printed them; nothing else timed it. They leave out what it does not "
    "count, such as loading samples, and they are the same on all ranks.";
constexpr StepTimes all_step_times[]{
    {"", "a Recorder or breakeven run"},
    {"printed seconds", "--step-seconds", as_printed},
    {"printed samples per second", "--samples-per-second", as_printed},
    {"printed steps per second", "--steps-per-second", as_printed},
    {by_wall_time, "--total",
     "Each run has one step time: the wall time that more steps added, divided by their number. It includes "
     "all that the program does in them, such as evaluation and checkpoints, and the difference of two "
     "start-ups. How single steps vary is not known."}};

}  // namespace

void warn_step_times(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::vector<std::string_view> ways;
  std::string_view said;
  for (const StepTimes& one : all_step_times) {
    const auto is_source = [&](const Launch& launch) {
      return setting_of(launch, step_times_setting) == one.source;
    };
    if (std::ranges::none_of(analysis.results().launches, is_source)) continue;
    ways.push_back(one.way);
    if (one.caveat != said) add_warning(symptom::step_times, one.caveat, sentences);
    said = one.caveat;
  }
  if (ways.size() < 2) return;
  add_warning(symptom::step_times,
              fmt::format("The launches time their steps in different ways: {}. Do not compare or average "
                          "their speeds and speed-ups.",
                          fmt::join(ways, "; ")),
              sentences);
}

}  // namespace breakeven::report
