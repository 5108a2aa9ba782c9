// SPDX-License-Identifier: Apache-2.0
// A captured step replayed is the step itself, bit for bit, with marks of its own at every launch.
#include <array>

#include "src/core/failure.h"
#include "tests/support/near.h"
#include "tests/support/small_network.h"

namespace breakeven {
namespace {

constexpr int graph_steps = 5;
using Marks = std::array<std::unique_ptr<Event>, 3>;

class GraphTest : public DeviceTest {
 protected:
  static Marks make_marks() { return {device().make_event(), device().make_event(), device().make_event()}; }

  static std::array<Event*, 3> pointers(const Marks& marks) {
    return {marks[0].get(), marks[1].get(), marks[2].get()};
  }

  static void run_step(SmallNetwork& network, std::span<Event* const> marks) {
    marks[0]->record(stream());
    network.forward();
    marks[1]->record(stream());
    network.backward();
    network.update();
    marks[2]->record(stream());
  }

  static void expect_equal_bits(const SmallNetwork& actual, const SmallNetwork& expected) {
    EXPECT_EQ(actual.losses(), expected.losses());
    for (std::size_t i = 0; i < expected.layer_count(); ++i) {
      EXPECT_EQ(actual.layer(i).w.download().values, expected.layer(i).w.download().values) << "layer " << i;
      EXPECT_EQ(actual.layer(i).b.download(), expected.layer(i).b.download()) << "layer " << i;
    }
  }
};

TEST_F(GraphTest, ReplayedStepsEqualDirectSteps) {
  for (const PrecisionInfo& info : precisions) {
    for (const Passes passes : {Passes::fused, Passes::apart}) {
      SCOPED_TRACE(testing::Message() << info.name << (passes == Passes::fused ? " fused" : " apart"));
      const SmallNetworkSettings settings{
          .widths = {33, 31, 17, 9}, .samples = 50, .rows = 8, .precision = info.precision, .passes = passes};
      const Marks marks = make_marks();
      SmallNetwork direct(device(), stream(), settings, 0);
      for (int step = 0; step < graph_steps; ++step) run_step(direct, pointers(marks));
      SmallNetwork replayed(device(), stream(), settings, 0);
      const std::unique_ptr<Graph> graph =
          device().capture([&](std::span<Event* const> body_marks) { run_step(replayed, body_marks); },
                           pointers(marks), stream());
      EXPECT_EQ(replayed.state().step, 0u) << "capturing executed the body";
      for (int step = 0; step < graph_steps; ++step) graph->launch(pointers(marks), stream());
      stream().synchronize();
      EXPECT_EQ(replayed.state().step, static_cast<std::uint32_t>(graph_steps));
      EXPECT_EQ(replayed.state().beta2_power, direct.state().beta2_power);
      expect_equal_bits(replayed, direct);
      EXPECT_GT(replayed.losses()[graph_steps - 1], 0.0f);
    }
  }
}

TEST_F(GraphTest, EveryLaunchRecordsItsOwnMarks) {
  SmallNetwork network(device(), stream(), {}, 0);
  const Marks captured = make_marks();
  const std::unique_ptr<Graph> graph =
      device().capture([&](std::span<Event* const> body_marks) { run_step(network, body_marks); },
                       pointers(captured), stream());
  std::vector<Marks> launched;
  for (int step = 0; step < graph_steps; ++step) {
    launched.push_back(make_marks());
    graph->launch(pointers(launched.back()), stream());
  }
  stream().synchronize();
  for (std::size_t launch = 0; launch < launched.size(); ++launch) {
    const Marks& marks = launched[launch];
    for (const auto& mark : marks) EXPECT_TRUE(mark->reached());
    EXPECT_GE(marks[1]->seconds_since(*marks[0]), 0.0);
    EXPECT_GT(marks[2]->seconds_since(*marks[0]), 0.0);
    if (launch == 0) continue;
    EXPECT_GE(marks[0]->seconds_since(*launched[launch - 1][2]), 0.0);
  }
}

TEST_F(GraphTest, TakesAsManyMarksAsWereCaptured) {
  SmallNetwork network(device(), stream(), {}, 0);
  const Marks marks = make_marks();
  const std::unique_ptr<Graph> graph = device().capture(
      [&](std::span<Event* const> body_marks) { run_step(network, body_marks); }, pointers(marks), stream());
  const auto given = pointers(marks);
  EXPECT_THROW(graph->launch(std::span(given).first(2), stream()), Failure);
  EXPECT_EQ(network.state().step, 0u);
}

}  // namespace
}  // namespace breakeven
