// SPDX-License-Identifier: Apache-2.0
// Which groups of a launch's ranks are measured, and what of them rank 0 knows afterwards.
#include "src/measure/roofline/measure_messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

Case case_of(const std::string& strategy, int gpus, bool graph = false) {
  Case what;
  what.model = "40-32-24-16";
  what.batch = 24;
  what.gpus = gpus;
  what.strategy = strategy;
  what.precision = Precision::fp32;
  what.transport = strategy == "single" ? Transport::none : Transport::mpi;
  what.graph = graph;
  return what;
}

using Groups = std::vector<measure::ProbedGroup>;

TEST(ProbedGroups, AreThoseOfTheCases) {
  EXPECT_EQ(measure::probed_groups({case_of("single", 1)}), Groups{});
  EXPECT_EQ(measure::probed_groups({case_of("ddp", 1)}), Groups{});
  EXPECT_EQ(measure::probed_groups({case_of("ddp", 4), case_of("ddp", 2), case_of("zero1", 2)}),
            (Groups{{Transport::mpi, 2, 2, false}, {Transport::mpi, 4, 4, false}}));
}

// A mesh of two times two has groups of two, and neighbours of a pipeline are two.
TEST(ProbedGroups, AreThoseIntoWhichStrategiesDivideTheRanks) {
  const Groups of_four{{Transport::mpi, 2, 4, false}, {Transport::mpi, 4, 4, false}};
  EXPECT_EQ(measure::probed_groups({case_of("hybrid:data=2:tensor=2", 4)}), of_four);
  EXPECT_EQ(measure::probed_groups({case_of("pipeline", 3)}),
            (Groups{{Transport::mpi, 2, 3, false}, {Transport::mpi, 3, 3, false}}));
}

TEST(ProbedGroups, AreInAGraphIfACaseIs) {
  Case by_nccl = case_of("ddp", 2);
  by_nccl.transport = Transport::nccl;
  EXPECT_EQ(
      measure::probed_groups({case_of("ddp", 2), case_of("ddp", 3, true), by_nccl}),
      (Groups{{Transport::mpi, 2, 2, true}, {Transport::mpi, 3, 3, true}, {Transport::nccl, 2, 2, false}}));
}

// A call that turns out slow, as on a busy machine, is the last size.
bool is_measured(const MessageTimes& times, int ranks, Collective kind) {
  const auto seconds = times.of(0, ranks, kind);
  return seconds[0] > 0 && (seconds[1] > 0 || seconds[0] > CollectiveProbe::slow_call_seconds);
}

TEST(MeasureMessages, GivesRankZeroEveryGroup) {
  const int ranks = test_session().size();
  if (testing_on_cuda()) GTEST_SKIP() << "mpi is the host's transport";
  if (ranks < 2) GTEST_SKIP() << "one rank exchanges nothing";
  const auto device = make_test_device();
  const measure::RunOptions options = measure::run_defaults();
  measure::RunContext bench(test_session(), *device, options, nullptr);
  const Groups groups =
      measure::probed_groups({case_of("pipeline", std::min(ranks, 3)), case_of("ddp", ranks, true)});
  const MessageTimes times = measure::measure_messages(groups, bench);
  EXPECT_EQ(times.largest_group, ranks);
  if (!test_session().is_root()) return;
  for (int group = smallest_group; group <= ranks; ++group) {
    const auto has_size = [&](const measure::ProbedGroup& one) { return one.ranks == group; };
    const bool is_asked_for = std::ranges::any_of(groups, has_size);
    const bool is_connected = group == std::min(ranks, 3) || group == ranks;
    EXPECT_EQ(times.connect_seconds[times.place_of(0, group)] > 0, is_connected) << group;
    for (std::size_t place = 0; place < probed_kinds; ++place) {
      const auto kind = static_cast<Collective>(place);
      const bool has_place = is_asked_for && (kind != Collective::send || group == 2);
      EXPECT_EQ(is_measured(times, group, kind), has_place) << name_of(kind) << " of " << group;
      EXPECT_TRUE(std::isnan(times.of(1, group, kind)[0])) << "nothing went over nccl";
    }
  }
}

}  // namespace
}  // namespace breakeven
