// SPDX-License-Identifier: Apache-2.0
// The report's table of NCCL settings: each beside the defaults, and no table where nothing can be compared.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/near.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

// Three launches of each setting, whose launches differ by 0.1 %.
Results measured_with(const std::vector<std::pair<std::string, double>>& seconds_by_settings) {
  Results results;
  std::uint32_t launch = 0;
  for (const auto& [settings, seconds] : seconds_by_settings) {
    for (int repeat = 0; repeat < 3; ++repeat, ++launch) {
      results.launches.push_back(launch_by_hand(2));
      Case what = case_by_hand(16, 2, "ddp");
      what.transport = Transport::nccl;
      what.nccl = settings;
      results.runs.push_back(run_by_hand(what, 0, seconds * std::exp(0.001 * normal(1, launch, 0)), launch));
    }
  }
  return results;
}

TEST(NcclSettings, StandBesideTheDefaultsTheFastestFirst) {
  const auto rows = json_of(measured_with({{"", 1e-3},
                                           {"NCCL_ALGO=slow", 2e-3},
                                           {"NCCL_ALGO=fast", 5e-4},
                                           {"NCCL_ALGO=same", 1e-3}}))["nccl_settings"];
  ASSERT_EQ(rows.size(), 3u);
  const std::vector<std::string> settings{"NCCL_ALGO=fast", "NCCL_ALGO=same", "NCCL_ALGO=slow"};
  const std::vector<double> ratios{2, 1, 0.5};
  const std::vector<std::string> changes{"FASTER", "SAME", "SLOWER"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["nccl_settings"], settings[i]);
    EXPECT_NEAR(double(rows[i]["speed_ratio"]), ratios[i], 0.01);
    EXPECT_EQ(rows[i]["change"], changes[i]);
    EXPECT_EQ(rows[i]["units"], "3 launches");
    EXPECT_NEAR(double(rows[i]["defaults_step_seconds"]), 1e-3, 1e-5);
  }
}

TEST(NcclSettings, AreNotComparedWithoutTheDefaults) {
  EXPECT_TRUE(
      json_of(measured_with({{"NCCL_ALGO=slow", 2e-3}, {"NCCL_ALGO=fast", 5e-4}}))["nccl_settings"].empty());
  EXPECT_TRUE(json_of(measured_with({{"", 1e-3}}))["nccl_settings"].empty());
}

}  // namespace
}  // namespace breakeven
