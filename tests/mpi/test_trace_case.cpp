// SPDX-License-Identifier: Apache-2.0
// The trace of a case with a recorder that makes up its records: what it is asked for and when, and what
// arrives on rank 0.
#include "src/measure/trace_case.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/measure/clocks.h"
#include "tests/support/nodes_by_hand.h"
#include "tests/support/training_test.h"

namespace breakeven {
namespace {

// Each rank has other nodes, at the time of take() by the host's clock.
class MadeUpRecorder : public KernelRecorder {
 public:
  void start() override { calls += "start "; }
  void clear() override { calls += "clear "; }
  NodeRecording take() override {
    calls += "take ";
    const auto now = static_cast<std::int64_t>(1e9 * measure::host_seconds());
    const std::string name = "void f_kernel<" + std::to_string(test_session().rank()) + ">()";
    return {.nodes = replays({{name, now, now + 50}}, 17, 100), .dropped = 3, .uncertainty_seconds = 1e-6};
  }

  std::string calls;
};

class TraceCase : public TrainingTest {};

TEST_F(TraceCase, RecordsTheMeasuredStepsOfTheSecondTrainingAlone) {
  MadeUpRecorder recorder;
  const TracedRank mine = measure::trace_case(what, bench, recorder);
  EXPECT_EQ(recorder.calls, "start clear take ");
  EXPECT_GT(mine.untraced_seconds, 0);
  EXPECT_GT(mine.traced_seconds, 0);
  EXPECT_EQ(made_steps(mine.record), options.steps);
  ASSERT_EQ(mine.recording.nodes.size(), 17u);
}

TEST_F(TraceCase, AllRanksRecordsAreOnRankZeroOnOneClock) {
  MadeUpRecorder recorder;
  const TracedRank mine = measure::trace_case(what, bench, recorder);
  const std::vector<TracedRank> all = measure::gather_traces(mine, bench.group(what.gpus));
  if (!test_session().is_root()) {
    EXPECT_TRUE(all.empty());
    return;
  }
  ASSERT_EQ(all.size(), static_cast<std::size_t>(what.gpus));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const TracedRank& traced = all[rank];
    EXPECT_EQ(traced.recording.dropped, 3u);
    EXPECT_GT(traced.recording.uncertainty_seconds, 1e-6 - 1e-12);
    EXPECT_EQ(traced.record.steps, options.steps);
    ASSERT_EQ(traced.recording.nodes.size(), 17u);
    EXPECT_EQ(traced.recording.nodes[3].label, "f <" + std::to_string(rank) + ">");
    EXPECT_EQ(traced.recording.nodes[3].launch, 503u);
    // They were made up right after the last step, whose start stands on the launch's clock too.
    const double last_step = traced.record.start_seconds.back();
    const double recorded = 1e-9 * static_cast<double>(traced.recording.nodes[0].start_ns);
    EXPECT_GE(recorded, last_step);
    EXPECT_LT(recorded, last_step + 5);
  }
}

}  // namespace
}  // namespace breakeven
