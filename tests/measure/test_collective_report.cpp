// SPDX-License-Identifier: Apache-2.0
// What `collectives` prints of rows by hand, in the terms of nccl-tests; and that wrong values are said.
#include "src/bench/collectives/collective_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

bench::CollectiveRow row_of(Collective operation, int ranks, std::uint64_t wrong = 0) {
  return {Transport::nccl, true, ranks, operation, 1u << 20, 1e-4, wrong};
}

// nccl-tests, PERFORMANCE.md: 1 MiB in 100 us among 4 ranks.
TEST(CollectiveReport, BandwidthsAreThoseOfNcclTests) {
  const double algorithm = (1u << 20) / 1e-4;
  for (const auto& [operation, factor] : {std::pair{Collective::all_reduce, 1.5},
                                          {Collective::reduce_scatter, 0.75},
                                          {Collective::all_gather, 0.75},
                                          {Collective::reduce, 1.0},
                                          {Collective::broadcast, 1.0},
                                          {Collective::send, 1.0}}) {
    EXPECT_DOUBLE_EQ(row_of(operation, 4).algorithm_bandwidth(), algorithm);
    EXPECT_DOUBLE_EQ(row_of(operation, 4).bus_bandwidth(), factor * algorithm) << name_of(operation);
  }
}

TEST(CollectiveReport, EveryOperationAndGroupHasATable) {
  const std::vector<bench::CollectiveRow> rows{
      row_of(Collective::all_reduce, 2), row_of(Collective::all_reduce, 4), row_of(Collective::one_sided, 4)};
  const std::string text = bench::collective_report(launch_by_hand(4), rows, report::ReportFormat::text);
  for (const char* title : {"all-reduce, 2 ranks over nccl, in a graph", "all-reduce, 4 ranks over nccl",
                            "one-sided, 4 ranks over mpi, host memory"})
    EXPECT_NE(text.find(title), std::string::npos) << title;
  EXPECT_EQ(text.find("WRONG"), std::string::npos);
  EXPECT_NE(text.find("10.5 GB/s"), std::string::npos) << text;
}

TEST(CollectiveReport, ReportsWrongValues) {
  const std::vector<bench::CollectiveRow> rows{row_of(Collective::all_reduce, 2),
                                               row_of(Collective::all_gather, 2, 3)};
  EXPECT_FALSE(bench::all_right(rows));
  EXPECT_TRUE(bench::all_right({rows[0]}));
  const Launch launch = launch_by_hand(2);
  EXPECT_NE(bench::collective_report(launch, rows, report::ReportFormat::text).find("SOME VALUES WERE WRONG"),
            std::string::npos);
  const auto json = nlohmann::json::parse(bench::collective_report(launch, rows, report::ReportFormat::json));
  EXPECT_EQ(json["right"], false);
  EXPECT_EQ(json["rows"][1]["wrong"], 3);
}

}  // namespace
}  // namespace breakeven
