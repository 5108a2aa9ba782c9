// SPDX-License-Identifier: Apache-2.0
// Cases that were planned and have no measured run: the headline names them, and advice says that they
// failed.
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "src/core/failure.h"
#include "src/report/advice/advice_report.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

void fail(Results& results, std::uint32_t batch, int gpus) {
  for (RecordedRun& run : results.runs) {
    if (run.planned.what.batch != batch || run.planned.what.gpus != gpus) continue;
    run.status = RunStatus::planned;
    run.ranks.clear();
  }
}

// A Recorder's file: its start on two ranks was killed, the later one on one rank was measured.
Results killed_on_two() {
  Results results;
  for (const int ranks : {2, 1}) {
    results.launches.push_back(launch_by_hand(ranks));
    results.launches.back().command_line = "python3 train.py";
  }
  results.runs.push_back(run_by_hand(case_by_hand(64, 2, "ddp"), 0, 1e-3, 0));
  results.runs.push_back(run_by_hand(case_by_hand(64, 1, "single"), 0, 1e-3, 1));
  fail(results, 64, 2);
  return results;
}

TEST(UnmeasuredCases, StandUnderAHeadlineWithoutComparison) {
  const Results results = killed_on_two();
  for (const std::string& text : {report::make_report(results, {}), text_of(results)}) {
    const std::string line = on_one_line(text);
    EXPECT_TRUE(contains(line,
                         "Planned, but without a measured run: medium batch 64 ddp on 2. It failed, was "
                         "killed, or is not over."))
        << line;
    EXPECT_FALSE(contains(line, "To compare, run the program on 1 and on more GPUs")) << line;
    EXPECT_TRUE(contains(line, "To measure them, run the program again with the same output.")) << line;
  }
  EXPECT_EQ(json_of(results)["headline"].size(), 2u);
}

TEST(UnmeasuredCases, StandUnderAVerdict) {
  Results results = results_by_hand();
  EXPECT_FALSE(contains(text_of(results), "without a measured run"));
  fail(results, 128, 2);
  const std::string text = on_one_line(report::make_report(results, {}));
  EXPECT_TRUE(contains(text, "ddp: slower up to batch 16")) << text;
  EXPECT_TRUE(contains(text, "without a measured run: medium batch 128 ddp on 2. It")) << text;
  EXPECT_TRUE(contains(text, "settled")) << "the conditions still follow the verdict: " << text;
}

TEST(UnmeasuredCases, OfManyAFewAreNamed) {
  Results results = results_by_hand();
  for (const std::uint32_t batch : {16u, 64u, 128u})
    for (const int gpus : {1, 2}) fail(results, batch, gpus);
  EXPECT_TRUE(contains(on_one_line(text_of(results)), "and 3 more cases. They failed, were killed"))
      << text_of(results);
}

std::string refusal(const Results& results, std::uint32_t batch) {
  try {
    advice_of(results, "toy", batch);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

TEST(UnmeasuredCases, AdviceSaysThatRunsFailed) {
  Results results = results_by_hand();
  for (RecordedRun& run : results.runs) run.planned.what.model = "toy";
  Results diverged = results;
  for (const int gpus : {1, 2}) fail(results, 128, gpus);
  EXPECT_TRUE(contains(refusal(results, 128), "all runs of toy at batch 128 in 'results.h5' failed"))
      << refusal(results, 128);
  EXPECT_TRUE(contains(refusal(results, 256), "for the measured batches (16 to 64)"))
      << refusal(results, 256);
  for (RecordedRun& run : diverged.runs)
    if (run.planned.what.batch == 128)
      for (RunRecord& rank : run.ranks)
        rank.loss.assign(rank.loss.size(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(contains(refusal(diverged, 128), "all runs of toy at batch 128")) << refusal(diverged, 128);
}

}  // namespace
}  // namespace breakeven
