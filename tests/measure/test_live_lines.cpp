// SPDX-License-Identifier: Apache-2.0
// The status lines of `run`, their width, and the time left.
#include "src/report/words/live_lines.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/core/text/display_width.h"
#include "src/measure/progress.h"
#include "src/measure/time_left.h"

namespace breakeven {
namespace {

using Lines = std::vector<std::string>;

Telemetry telemetry_of(double percent, double watts, double celsius) {
  Telemetry telemetry;
  telemetry.utilization_percent = percent;
  telemetry.power_watts = watts;
  telemetry.temperature_celsius = celsius;
  return telemetry;
}

report::LiveStatus known_status() {
  report::LiveStatus status{
      .run = 37, .runs = 2400, .label = "medium b64 2x ddp fp32 tuned nccl graph total"};
  status.seconds_left = 250;
  status.step_seconds = 18.3e-6;
  status.step_runs = 5;
  status.exchange_share = 0.41;
  status.ranks = {telemetry_of(97, 412.4, 54), telemetry_of(53, 300, 54)};
  return status;
}

TEST(LiveLines, ShowKnownValues) {
  EXPECT_EQ(report::live_lines(known_status()),
            (Lines{"run 38 of 2,400, 4 min 10 s left", "medium b64 2x ddp fp32 tuned nccl graph total",
                   "18.3 µs per step (last 5 runs), exchange 41 %", "rank 0: utilization 97 %, 412 W, 54 °C",
                   "rank 1: utilization 53 %, 300 W, 54 °C"}));
  EXPECT_EQ(report::live_log_line(known_status()),
            "run 38 of 2,400, 4 min 10 s left: medium b64 2x ddp fp32 tuned nccl graph total; 18.3 µs per "
            "step (last 5 runs), exchange 41 %; utilization 53–97 %, 300–412 W, 54 °C");
}

TEST(LiveLines, OmitUnknownValues) {
  report::LiveStatus status{.run = 0, .runs = 4, .label = "medium b64 1x single"};
  status.ranks.resize(2);
  EXPECT_EQ(report::live_lines(status),
            (Lines{"run 1 of 4", "medium b64 1x single", "first run of this case"}));
  EXPECT_EQ(report::live_log_line(status), "run 1 of 4: medium b64 1x single");
  status.step_runs = 1;
  status.step_seconds = 0.25;
  status.seconds_left = 3;
  status.at_most = true;
  status.ranks[1].temperature_celsius = 40;
  EXPECT_EQ(report::live_lines(status), (Lines{"run 1 of 4, at most 3.0 s left", "medium b64 1x single",
                                               "250 ms per step (last run)", "rank 0: –", "rank 1: 40 °C"}));
}

TEST(LiveLines, ManyRanksShareALine) {
  report::LiveStatus status = known_status();
  status.ranks.resize(9, telemetry_of(60, 500, 71));
  const Lines lines = report::live_lines(status);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[3], "9 ranks: utilization 53–97 %, 300–500 W, 54–71 °C");
  EXPECT_EQ(report::live_lines(status, 9).size(), 3u + 9);
}

TEST(LiveLines, LongOnesAreCutToTheTerminal) {
  EXPECT_EQ(cut_to_width("18.3 µs per step", 16), "18.3 µs per step");
  EXPECT_EQ(cut_to_width("18.3 µs per step", 15), "18.3 µs per st…");
  EXPECT_EQ(cut_to_width("18.3 µs per step", 7), "18.3 µ…");
  EXPECT_EQ(cut_to_width("模型", 3), "模…");
  EXPECT_EQ(cut_to_width("abc", 1), "…");
  EXPECT_EQ(cut_to_width("abc", 0), "");
}

TEST(StatusScreen, OverwritesItsOwnLines) {
  EXPECT_EQ(measure::rewind_lines(0), "");
  EXPECT_EQ(measure::rewind_lines(1), "\r\033[J");
  EXPECT_EQ(measure::rewind_lines(5), "\r\033[4A\033[J");
}

// Two repeats of three cases, of which the large one takes ten times as long.
class TimeLeftTest : public testing::Test {
 protected:
  static Case case_of(const char* model, std::uint32_t batch) {
    Case what;
    what.model = model;
    what.batch = batch;
    return what;
  }
  measure::TimeLeft left{{case_of("medium", 64), case_of("medium", 128), case_of("xl", 64)},
                         {0, 1, 2, 2, 1, 0}};
};

TEST_F(TimeLeftTest, UsesEarlierRunsOfTheCase) {
  EXPECT_TRUE(std::isnan(left.seconds_from(0)));
  left.made(0, 2);
  EXPECT_DOUBLE_EQ(left.seconds_from(1), 5 * 2);
  left.made(1, 4);
  EXPECT_DOUBLE_EQ(left.seconds_from(2), 3 + 3 + 4 + 2) << "the large model's from all that is known";
  left.made(2, 30);
  EXPECT_DOUBLE_EQ(left.seconds_from(3), 30 + 4 + 2);
  left.made(3, 40);
  EXPECT_DOUBLE_EQ(left.seconds_from(3), 35 + 4 + 2);
  EXPECT_EQ(left.seconds_from(6), 0);
}

TEST_F(TimeLeftTest, ANewCaseUsesRunsOfItsModel) {
  left.made(2, 30);
  left.made(0, 2);
  EXPECT_DOUBLE_EQ(left.seconds_from(3), 30 + 2 + 2);
}

TEST_F(TimeLeftTest, AnEndedCaseTakesNoTime) {
  left.made(0, 2);
  left.made(2, 30);
  left.ended(3);
  EXPECT_DOUBLE_EQ(left.seconds_from(4), 2 + 2);
  EXPECT_DOUBLE_EQ(left.seconds_from(3), 2 + 2);
}

}  // namespace
}  // namespace breakeven
