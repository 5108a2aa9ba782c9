// SPDX-License-Identifier: Apache-2.0
// Several results files as one: what was launched apart counts as launches of one file, and what cannot be
// put together is refused by name.
#include <gtest/gtest.h>

#include <set>

#include "src/core/failure.h"
#include "src/hdf5/read_results.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

// Three launches of one of the articles' cases, by NVLink or with NCCL's direct way shut; communication takes
// `times` as long as by NVLink.
Results by_link(const std::string& path, bool is_shut, double times) {
  Results results;
  results.path = path;
  for (std::uint32_t launch = 0; launch < 3; ++launch) {
    results.launches.push_back(launch_by_hand(2));
    results.launches.back().started = "2026-01-02T03:04:0" + std::to_string(launch) + "Z";
    results.launches.back().command_line = "breakeven run --output " + path;
    if (is_shut) results.launches.back().environment = {{"NCCL_P2P_DISABLE", "1"}};
    for (std::uint32_t repeat = 0; repeat < 2; ++repeat) {
      const double noise = 1 + 0.01 * launch + 0.001 * repeat;
      const Case base = case_by_hand(16, 1, "single", Timing::phases);
      const Case two = case_by_hand(16, 2, "ddp", Timing::phases);
      results.runs.push_back(run_by_hand(base, repeat, 1e-3 * noise, launch));
      results.runs.push_back(run_by_hand(two, repeat, times * 1e-3 * noise, launch));
    }
  }
  note_nccl_settings(results);                           // as the reader does
  for (std::size_t i = 0; i < results.runs.size(); ++i)  // as the writer names them
    results.runs[i].label = label_of(results.runs[i].planned.what) + " #" + std::to_string(i);
  return results;
}

nlohmann::json claim_of_nvlink(const Results& results) {
  const auto report = json_of(results);
  for (const auto& row : report["claims"])
    if (row["claim"] == "nvlink") return row;
  return {};
}

std::string refusal_of(std::vector<Results> files) {
  try {
    hdf5::as_one(std::move(files));
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::usage);
    return failure.what();
  }
  return "";
}

TEST(ReadAllResults, AreAsIfAppended) {
  const Results one = by_link("one.h5", false, 1);
  const Results all = hdf5::as_one({one, by_link("two.h5", false, 1)});
  EXPECT_EQ(all.path, "one.h5, two.h5");
  ASSERT_EQ(all.launches.size(), 6u);
  ASSERT_EQ(all.runs.size(), 2 * one.runs.size());
  std::set<std::string> labels;
  for (const RecordedRun& run : all.runs) labels.insert(run.label);
  EXPECT_EQ(labels.size(), all.runs.size());
  EXPECT_EQ(all.runs.front().launch, 0u);
  EXPECT_EQ(all.runs.back().launch, 5u);
  EXPECT_EQ(all.launches[5].command_line, "breakeven run --output two.h5");
  const auto report = json_of(all);
  for (const auto& row : report["cases"]) {
    if (row["gpus"] != 2) continue;
    EXPECT_EQ(row["speedup_unit"], "launch");
    EXPECT_EQ(row["speedup_units"], 6);
  }
}

// The articles' claim needs launches by both links; no file that one command writes has them.
TEST(ReadAllResults, ShowWhatALinkIsWorth) {
  const Results nvlink = by_link("seed.h5", false, 1);
  EXPECT_EQ(claim_of_nvlink(nvlink)["verdict"], "not_decided");
  const Results all = hdf5::as_one({nvlink, by_link("host-bridge.h5", true, 4)});
  EXPECT_EQ(claim_of_nvlink(all)["verdict"], "holds");
  EXPECT_NEAR(claim_of_nvlink(all)["measured"].get<double>(), 0.25, 1e-3);
  EXPECT_EQ(claim_of_nvlink(hdf5::as_one({nvlink, by_link("host-bridge.h5", true, 1.2)}))["verdict"],
            "does_not_hold");
  const auto report = json_of(all);
  EXPECT_EQ(report["answers"].size(), 2u) << "two cases, each with the speed by its own link";
}

TEST(ReadAllResults, OfTwoMachinesAreRefused) {
  Results other = by_link("a100.h5", false, 1);
  for (Launch& launch : other.launches)
    for (RankInfo& rank : launch.topology.ranks) rank.device.name = "NVIDIA A100";
  EXPECT_EQ(refusal_of({by_link("h200.h5", false, 1), other}),
            "h200.h5 was measured on NVIDIA H200, a100.h5 on NVIDIA A100. Files that are read together must "
            "come from one machine. To compare two machines, run: breakeven compare h200.h5 a100.h5");
}

TEST(ReadAllResults, OfTheSameLaunchTwiceAreRefused) {
  Results copy = by_link("one.h5", false, 1);
  copy.path = "copy.h5";
  EXPECT_EQ(refusal_of({by_link("one.h5", false, 1), copy}),
            "one.h5 and copy.h5 hold the same launch, started 2026-01-02T03:04:00Z. Pass it once");
}

}  // namespace
}  // namespace breakeven
