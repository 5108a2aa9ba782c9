// SPDX-License-Identifier: Apache-2.0
// On how many machines launches ran, and what the report says that their intervals do not cover.
#include <gtest/gtest.h>

#include "src/report/machines/machine_report.h"
#include "src/report/words/machine.h"
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

// A program with a recorder is launched on one GPU, then on two.
TEST(Machines, OfWhichLaunchesUsedADifferentNumberOfDevicesAreOfOneKind) {
  Results results = launches_on({"ab", "ab"});
  results.launches.front().topology.ranks.pop_back();
  EXPECT_EQ(report::count_machine_kinds(results), 1u);
  EXPECT_EQ(report::machine_name(results), report::machine_name(results.launches.back().topology));
  results.launches.front().topology.ranks.front().device.name = "another GPU";
  EXPECT_EQ(report::count_machine_kinds(results), 2u);
  EXPECT_EQ(report::machine_name(results),
            report::machine_name(results.launches.back().topology) + " and others");
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

TEST(Machines, NothingIsSaidOfTheDataOfALinkThatWasNotMeasured) {
  Results results = results_by_hand();
  std::vector<Link>& links = results.launches[0].topology.links;
  links[1] = {.kind = "NV18", .bytes_per_second = not_measured, .latency_seconds = not_measured};
  const nlohmann::json json = json_of(results)["launches"][0]["links"];
  EXPECT_TRUE(json[1]["data_right"].is_null());
  EXPECT_EQ(json[2]["data_right"], true);
}

// At batch 128 ddp is 1.5 times as fast as one GPU; with `peer` it is 3 times as fast.
Results with_peer(bool has_peer) {
  Results results = launches_on({"ab"});
  add_pair(results, 128, 7.6e-3, 1.5);
  if (!has_peer) return results;
  Case what = case_by_hand(128, 2, "ddp");
  what.transport = Transport::peer;
  for (std::uint32_t repeat = 0; repeat < 4; ++repeat)
    results.runs.push_back(run_by_hand(what, repeat, 7.6e-3 / 3 * (1 + 0.1 * repeat)));
  return results;
}

std::string side_by_side(const Results& one, const Results& other) {
  const analysis::FileAnalysis file(one), other_file(other);
  return on_one_line(report::make_machine_report({{"H100", &file}, {"H200", &other_file}}, {}));
}

TEST(Machines, AreComparedOverTransportsThatAllMeasured) {
  const std::string text = side_by_side(with_peer(true), with_peer(false));
  EXPECT_TRUE(contains(text, " at batch 128 over nccl: H100 (ddp on 2 GPUs in fp32) is 1.00")) << text;
  EXPECT_FALSE(contains(text.substr(0, text.find("Machines side by side")), "peer")) << text;
  EXPECT_TRUE(contains(text.substr(text.find("Machines side by side")), "ddp, peer")) << text;
  EXPECT_TRUE(contains(side_by_side(with_peer(true), with_peer(true)), "H100 (ddp, peer on 2 GPUs in fp32)"));
}

TEST(Machines, WhoseRunsSettledDifferentlySaySoAtOnce) {
  Results settled = with_peer(false);
  settle(settled);
  const std::string text = side_by_side(settled, with_peer(false));
  EXPECT_TRUE(contains(text, "The runs are not alike: H100 settled, H200 ")) << text;
  EXPECT_FALSE(contains(side_by_side(settled, settled), "The runs are not alike"));
}

// Facts that change no step time are left out, and settings come before builds.
TEST(Machines, WarnOfWhatMayChangeTheirTimes) {
  Results one = with_peer(false), other = one;
  one.launches[0].settings = {{"repeats", "3"}, {"order", "random"}, {"settle", "0"}};
  other.launches[0].settings = {{"repeats", "1"}, {"order", "random:1"}, {"settle", "5s"}};
  other.launches[0].git_revision = "4567def";
  const std::string text = side_by_side(one, other);
  EXPECT_TRUE(contains(
      text, "not measured alike: setting settle (0 against 5s), revision (0123abc against 4567def)."))
      << text;
}

}  // namespace
}  // namespace breakeven
