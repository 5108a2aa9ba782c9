// SPDX-License-Identifier: Apache-2.0
// On how many machines launches ran, and what the report says that their intervals do not cover.
#include <gtest/gtest.h>

#include "src/report/machine.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

// One launch for each text: the UUIDs of its two GPUs.
Results launches_on(const std::vector<std::string>& devices) {
  Results results;
  for (const std::string& names : devices) {
    Launch& launch = results.launches.emplace_back(launch_by_hand(2));
    for (std::size_t rank = 0; rank < names.size(); ++rank)
      launch.topology.ranks[rank].device.uuid = names.substr(rank, 1);
  }
  return results;
}

TEST(Machines, AreToldApartByTheirDevices) {
  EXPECT_EQ(report::count_machines(launches_on({})), 0u);
  EXPECT_EQ(report::count_machines(launches_on({"ab", "ab", "ba"})), 1u);
  EXPECT_EQ(report::count_machines(launches_on({"ab", "cd", "ab"})), 2u);
  EXPECT_EQ(report::count_machines(launches_on({"ab", "cd", "bc"})), 1u);
  EXPECT_EQ(report::count_machines(launches_on({"", ""})), 1u);  // by their host
}

TEST(Machines, AreTheLevelAboveLaunches) {
  const auto said = [](const std::vector<std::string>& devices) {
    Results results = launches_on(devices);
    add_pair(results, 16, 6.6e-3, 0.74);
    return on_one_line(text_of(results));
  };
  EXPECT_TRUE(contains(said({"ab", "ab", "ab"}), "in 3 launches on one machine"));
  EXPECT_FALSE(contains(said({"ab", "ab", "ab"}), "Intervals treat launches"));
  EXPECT_TRUE(contains(said({"ab", "cd", "ab"}), "in 3 launches on 2 machines"));
  EXPECT_TRUE(contains(said({"ab", "cd", "ab"}), "The launches ran on 2 machines. Intervals treat launches"));
}

// A program with a recorder knows its GPUs, but nothing of the links between them.
TEST(Machines, SayNothingOfLinksThatNobodyMeasured) {
  const auto said = [](std::string_view kind, double bytes_per_second) {
    Results results = launches_on({"ab"});
    for (Link& link : results.launches[0].topology.links)
      if (link.kind != "self") link = {.kind = std::string(kind), .bytes_per_second = bytes_per_second};
    return report::links_in_words(results.launches[0].topology);
  };
  EXPECT_EQ(said("?", not_measured), "");
  EXPECT_TRUE(contains(said("?", 4e10), "?: 40"));
  EXPECT_TRUE(contains(said("NV18", not_measured), "NV18: bandwidth not measured"));
}

}  // namespace
}  // namespace breakeven
