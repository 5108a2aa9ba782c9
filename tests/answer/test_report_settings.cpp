// SPDX-License-Identifier: Apache-2.0
// The report's table of settings: every precision of a model in one table, the fastest first.
#include <gtest/gtest.h>

#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

void add_case(Results& results, Precision precision, int gpus, const std::string& strategy, double seconds) {
  Case what = case_by_hand(16, gpus, strategy);
  what.precision = precision;
  for (std::uint32_t repeat = 0; repeat < 3; ++repeat)
    results.runs.push_back(run_by_hand(what, repeat, seconds));
}

Results measured_in_fp32() {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  add_case(results, Precision::fp32, 1, "single", 4e-3);
  add_case(results, Precision::fp32, 2, "ddp", 3e-3);
  add_case(results, Precision::fp32, 2, "zero1", 2e-3);
  add_case(results, Precision::fp32, 2, "local-sgd", 5e-4);  // lossy
  return results;
}

TEST(Settings, OfAModelStandInOneTableTheFastestFirst) {
  Results results = measured_in_fp32();
  add_case(results, Precision::bf16, 1, "single", 1e-3);
  add_case(results, Precision::bf16, 2, "ddp", 5e-3);
  const std::string text = report::make_report(results, {.sections = {"settings"}});
  std::size_t place = 0;
  for (const char* row : {"bf16 single on 1 1.00 ms", "fp32 zero1 on 2 2.00 ms", "fp32 single on 1 4.00 ms",
                          "bf16 ddp on 2 5.00 ms"}) {
    const std::size_t found = on_one_line(text).find(row);
    ASSERT_NE(found, std::string::npos) << row << " in\n" << text;
    EXPECT_GE(found, place) << row;
    place = found;
  }
  EXPECT_FALSE(contains(text, "local-sgd")) << text;
  EXPECT_FALSE(contains(text, "3.00 ms")) << "ddp is not the fastest in fp32\n" << text;
  EXPECT_EQ(text.find("Settings side by side"), text.rfind("Settings side by side")) << text;
}

TEST(Settings, HaveNoTableWhereTheModelHasOnlyOne) {
  EXPECT_FALSE(contains(text_of(measured_in_fp32()), "Settings side by side"));
}

}  // namespace
}  // namespace breakeven
