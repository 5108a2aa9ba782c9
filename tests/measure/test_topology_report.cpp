// SPDX-License-Identifier: Apache-2.0
#include "src/bench/topology/topology_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/near.h"

namespace breakeven {
namespace {

RankInfo gpu(const std::string& host, const std::string& uuid) {
  return {.host = host,
          .device = {.backend = "cuda",
                     .name = "NVIDIA H200",
                     .uuid = uuid,
                     .pci_address = "0000:1b:00.0",
                     .multiprocessors = 132,
                     .compute_capability = 90,
                     .memory_bytes = 150754820096,
                     .numa_node = 0}};
}

// Two GPUs of one host, without remarks.
Topology good_pair() {
  const Link self{.kind = "self", .bytes_per_second = nan, .latency_seconds = nan, .data_right = true};
  const Link link{.kind = "NV18",
                  .peer_access = true,
                  .bytes_per_second = 3.81e11,
                  .latency_seconds = 6.2e-6,
                  .data_right = true};
  return {.ranks = {gpu("node07", "GPU-a"), gpu("node07", "GPU-b")}, .links = {self, link, link, self}};
}

bool any_mentions(const std::vector<std::string>& remarks, const std::string& words) {
  for (const std::string& remark : remarks) {
    if (remark.find(words) != std::string::npos) return true;
  }
  return false;
}

TEST(TopologyRemarks, AreEmptyForAGoodPair) {
  EXPECT_EQ(bench::topology_remarks(good_pair()), std::vector<std::string>{});
  EXPECT_TRUE(bench::links_right(good_pair()));
}

TEST(TopologyRemarks, NameTheLinkWithWrongData) {
  Topology topology = good_pair();
  topology.links[2].data_right = false;
  EXPECT_FALSE(bench::links_right(topology));
  EXPECT_TRUE(any_mentions(bench::topology_remarks(topology), "what rank 1 sent arrived changed at rank 0"));
}

TEST(TopologyRemarks, ReportMissingPeerAccessOnlyOnOneHost) {
  Topology topology = good_pair();
  topology.links[1].peer_access = topology.links[2].peer_access = false;
  EXPECT_TRUE(any_mentions(bench::topology_remarks(topology), "cannot access each other's memory"));
  EXPECT_EQ(bench::topology_remarks(topology).size(), 1u) << "one remark per pair, not per direction";
  topology.ranks[1].host = "node08";
  EXPECT_FALSE(any_mentions(bench::topology_remarks(topology), "cannot access each other's memory"));
}

TEST(TopologyRemarks, ReportASharedGpuAndAnUnknownNode) {
  Topology topology = good_pair();
  topology.ranks[1].device.uuid = "GPU-a";
  EXPECT_TRUE(any_mentions(bench::topology_remarks(topology), "Ranks 0 and 1 share one GPU"));
  topology.ranks[1].device.numa_node = -1;
  EXPECT_TRUE(any_mentions(bench::topology_remarks(topology), "NUMA node of the GPU is unknown for rank 1"));
}

TEST(TopologyRemarks, ReportASlowLinkOfItsKind) {
  Topology topology = good_pair();
  topology.links[2].bytes_per_second = 0.8 * 3.81e11;
  EXPECT_EQ(bench::topology_remarks(topology).size(), 0u);
  topology.links[2].bytes_per_second = 0.5 * 3.81e11;
  EXPECT_TRUE(any_mentions(bench::topology_remarks(topology), "The link from rank 1 to 0"));
  topology.links[2].kind = "SYS";  // another kind of link may have another speed
  EXPECT_EQ(bench::topology_remarks(topology).size(), 0u);
}

TEST(TopologyRemarks, AskForMoreRanks) {
  const Topology alone{.ranks = {gpu("node07", "GPU-a")}, .links = {good_pair().links[0]}};
  EXPECT_TRUE(any_mentions(bench::topology_remarks(alone), "There is only one rank"));
}

TEST(TopologyReport, ShowsPeopleUnitsAndDashes) {
  for (const report::ReportFormat format : {report::ReportFormat::text, report::ReportFormat::markdown}) {
    const std::string report = bench::topology_report(good_pair(), "nccl", format);
    for (const char* words : {"GPU-a", "0000:1b:00.0", "NV18 peer", "381", "6.20", "over nccl", "as sent"}) {
      EXPECT_NE(report.find(words), std::string::npos) << words << " in\n" << report;
    }
    EXPECT_EQ(report.find("nan"), std::string::npos);
  }
}

TEST(TopologyReport, IsOneJsonObject) {
  Topology topology = good_pair();
  topology.links[1].latency_seconds = nan;
  const auto report =
      nlohmann::json::parse(bench::topology_report(topology, "nccl", report::ReportFormat::json));
  EXPECT_EQ(report["version"], bench::topology_version);
  EXPECT_EQ(report["transport"], "nccl");
  EXPECT_EQ(report["data_right"], true);
  EXPECT_EQ(report["ranks"].size(), 2u);
  EXPECT_EQ(report["ranks"][1]["uuid"], "GPU-b");
  ASSERT_EQ(report["links"].size(), 2u);
  EXPECT_EQ(report["links"][0]["bytes_per_second"], 3.81e11);
  EXPECT_TRUE(report["links"][0]["latency_seconds"].is_null());
  EXPECT_EQ(report["links"][1]["kind"], "NV18");
}

TEST(TopologyReport, IsOneCsvRowForEachDirectedPair) {
  const std::string report = bench::topology_report(good_pair(), "nccl", report::ReportFormat::csv);
  EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 3);
  EXPECT_EQ(report.find("from,to,"), 0u);
  EXPECT_NE(report.find("0,1,GPU-a,GPU-b,NV18,true,"), std::string::npos) << report;
}

}  // namespace
}  // namespace breakeven
