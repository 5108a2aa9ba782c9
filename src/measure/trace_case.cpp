// SPDX-License-Identifier: Apache-2.0
#include "src/measure/trace_case.h"

#include <algorithm>
#include <cmath>

#include "src/measure/node_label.h"
#include "src/measure/run_case.h"
#include "src/measure/settling.h"
#include "src/statistics/sample.h"

namespace breakeven::measure {
namespace {

// The untraced run has just warmed the device up; setting up the traced one has cooled it again a little.
constexpr double warmup_seconds = 0.5;
constexpr double most_warmup_steps = 10000;

double median_step(const RunRecord& record) {
  std::vector<double> seconds;
  for (std::uint32_t step = 0; step < made_steps(record); ++step)
    seconds.push_back(record.at(step, Phase::step));
  return statistics::median(seconds);
}

// Without settling, both runs are bursts after the same warm-up.
RunOptions options_of_traced_run(const RunOptions& untraced, double step_seconds) {
  RunOptions options = untraced;
  if (!(untraced.settle.most_seconds > 0)) return options;
  options.settle.most_seconds = 0;
  const double steps = std::min(most_warmup_steps, std::ceil(warmup_seconds / step_seconds));
  if (steps > options.warmup) options.warmup = static_cast<std::uint32_t>(steps);
  return options;
}

void put_on_launch_clock(const ClockOffset& offset, NodeRecording& recording) {
  const std::int64_t later = std::llround(1e9 * offset.seconds);
  for (NodeRecord& node : recording.nodes) {
    node.start_ns += later;
    node.end_ns += later;
    node.label = label_of(node);
  }
  recording.uncertainty_seconds += offset.uncertainty_seconds;
}

}  // namespace

TracedRank trace_case(const Case& what, RunContext& context, KernelRecorder& recorder) {
  TracedRank mine;
  mine.untraced_seconds = median_step(run_case(what, context));
  const double slowest = largest_of(mine.untraced_seconds, context.group(what.gpus));
  const RunOptions options = options_of_traced_run(context.options(), slowest);
  recorder.start();
  mine.record =
      run_case(what, context, options, 0,
               {.before = [&] { recorder.clear(); }, .after = [&] { mine.recording = recorder.take(); }});
  mine.traced_seconds = median_step(mine.record);
  mine.steps_a_launch = static_cast<std::uint32_t>(mine.record.steps_a_launch);
  put_on_launch_clock(context.offset_to_launch(what.gpus), mine.recording);
  return mine;
}

}  // namespace breakeven::measure
