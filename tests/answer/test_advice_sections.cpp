// SPDX-License-Identifier: Apache-2.0
// The brief advice, and its sections one by one.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/machine_by_hand.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

// Ten strategies on two GPUs, which make a long table.
Results machine_with_many_cases() {
  Results results;
  results.path = "results.h5";
  Launch launch = launch_by_hand(2);
  launch.roofline = {roofline_by_hand(), roofline_by_hand()};
  launch.message_times = message_times_by_hand();
  results.launches.push_back(launch);
  for (const std::uint32_t batch : {512u, 1024u, 2048u}) {
    for (std::uint32_t repeat = 0; repeat < 4; ++repeat) {
      const double seconds = batch / 1024e3 * (1 + 1e-3 * repeat);
      results.runs.push_back(run_by_hand(case_by_hand(batch, 1, "single"), repeat, seconds));
      for (const char* strategy : {"ddp", "zero1", "zero2", "fsdp", "tensor", "pipeline", "ddp:bucket=16MB",
                                   "zero1:bucket=16MB", "parameter-server"})
        results.runs.push_back(run_by_hand(case_by_hand(batch, 2, strategy), repeat, seconds / 1.6));
    }
  }
  return results;
}

std::string advice_with(const std::vector<std::string>& sections) {
  const Results results = machine_with_many_cases();
  const analysis::FileAnalysis file(results);
  report::AdviceRequest request;
  request.sections = sections;
  request.query.model = "medium";
  request.query.batch = 1024;
  return report::make_advice_report(file, request, report::ReportFormat::text);
}

TEST(AdviceSections, TheBriefAdviceHasTheAnswerAndNamesTheRest) {
  const std::string brief = advice_with({});
  EXPECT_LE(std::ranges::count(brief, '\n'), 60) << brief;
  for (const char* part : {"is the fastest", "Read before trusting", "The configurations", "By GPU-hours",
                           " more: --sections configurations.", "Left out: why, predictions."})
    EXPECT_TRUE(contains(on_one_line(brief), part)) << part << '\n' << brief;
  for (const char* part : {"How good the predictions are", "Where the answer changes"})
    EXPECT_FALSE(contains(brief, part)) << part;
}

TEST(AdviceSections, EachIsPrintedInFullWhereItIsAskedFor) {
  const std::string all = advice_with({"all"});
  for (const char* part : {"is the fastest", "By GPU-hours", "Where the answer changes",
                           "How good the predictions are", "parameter-server"})
    EXPECT_TRUE(contains(all, part)) << part;
  EXPECT_FALSE(contains(all, "--sections")) << all;
  const std::string why = advice_with({"why"});
  EXPECT_TRUE(contains(why, "Where the answer changes")) << why;
  EXPECT_FALSE(contains(why, "By GPU-hours") || contains(why, "is the fastest to train")) << why;
}

}  // namespace
}  // namespace breakeven
