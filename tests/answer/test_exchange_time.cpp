// SPDX-License-Identifier: Apache-2.0
// Seconds of messages from measured calls: at the sizes, between them, beyond them, and where nothing was
// measured; and a pipeline's bubble.
#include "src/analysis/exchange_time.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "src/analysis/case_exchange.h"
#include "src/core/model/parameter_layout.h"
#include "tests/support/results_by_hand.h"

namespace breakeven::analysis {
namespace {

constexpr double alpha = 10e-6;
constexpr double a_byte = 1e-10;  // 10 GB/s

std::array<double, message_sizes> line_of(std::size_t sizes = message_sizes) {
  std::array<double, message_sizes> seconds;
  seconds.fill(not_measured);
  for (std::size_t place = 0; place < sizes; ++place)
    seconds[place] = alpha + a_byte * static_cast<double>(message_size(place));
  return seconds;
}

MessageTimes times_of_lines(int largest_group) {
  MessageTimes times(largest_group);
  for (int ranks = smallest_group; ranks <= largest_group; ++ranks) {
    for (std::size_t kind = 0; kind < probed_kinds; ++kind)
      std::ranges::copy(line_of(), times.of(1, ranks, static_cast<Collective>(kind)).begin());
  }
  return times;
}

TEST(ExchangeTime, IsWhatWasMeasuredAtTheSizes) {
  const auto seconds = line_of();
  for (std::size_t place = 0; place < message_sizes; ++place) {
    const analysis::ExchangeTime time = analysis::time_of_call(message_size(place), seconds);
    EXPECT_DOUBLE_EQ(time.seconds(), seconds[place]);
    EXPECT_DOUBLE_EQ(time.latency, seconds[0]);
  }
}

// 4 B take 1 s and 16 B take 4 s: half-way in the logarithm are 8 B with 2 s.
TEST(ExchangeTime, IsLogarithmicBetweenThem) {
  auto seconds = line_of();
  seconds[0] = 1;
  seconds[1] = 4;
  const analysis::ExchangeTime time = analysis::time_of_call(8, seconds);
  EXPECT_NEAR(time.seconds(), 2, 1e-12);
  EXPECT_NEAR(time.latency, 1, 1e-12);
  EXPECT_NEAR(time.bandwidth, 1, 1e-12);
}

TEST(ExchangeTime, GrowsOnBeyondTheLargest) {
  const auto seconds = line_of(10);  // to 1 MiB
  EXPECT_NEAR(analysis::time_of_call(8u << 20, seconds).seconds(), alpha + a_byte * (8u << 20), 1e-12);
  std::array<double, message_sizes> noisy = line_of(3);
  noisy[0] = 1e-6;
  noisy[1] = 8e-6;
  noisy[2] = 4e-6;  // the larger one was shorter
  EXPECT_NEAR(analysis::time_of_call(128, noisy).seconds(), 8e-6, 1e-12);
}

// A machine so busy that its smallest call was the only one, or took as long as the largest one.
TEST(ExchangeTime, IsUnknownBeyondCallsOfLatencyAlone) {
  std::array<double, message_sizes> latency = line_of(1);
  EXPECT_TRUE(std::isnan(analysis::time_of_call(3328, latency).seconds()));
  EXPECT_DOUBLE_EQ(analysis::time_of_call(4, latency).seconds(), latency[0]);
  latency[1] = 1.5 * latency[0];
  EXPECT_TRUE(std::isnan(analysis::time_of_call(3328, latency).seconds()));
  latency[1] = 2 * latency[0];
  EXPECT_GT(analysis::time_of_call(3328, latency).bandwidth, 0);
}

// Smaller than the smallest: its time. Shorter than the smallest's by noise: all latency.
TEST(ExchangeTime, LatencyIsTheSmallestMessages) {
  auto seconds = line_of();
  EXPECT_DOUBLE_EQ(analysis::time_of_call(2, seconds).seconds(), seconds[0]);
  seconds[2] = seconds[0] / 2;
  EXPECT_DOUBLE_EQ(analysis::time_of_call(64, seconds).latency, seconds[2]);
  EXPECT_DOUBLE_EQ(analysis::time_of_call(64, seconds).bandwidth, 0);
}

TEST(ExchangeTime, OfMessagesAddsUpTheirCalls) {
  const MessageTimes times = times_of_lines(3);
  const std::vector<Message> messages{{Collective::send, 4, 2, 3}, {Collective::all_reduce, 16, 3, 1, 4}};
  const analysis::ExchangeTime time = analysis::time_of_messages(messages, Transport::nccl, times);
  EXPECT_NEAR(time.seconds(), 3 * (alpha + 4 * a_byte) + (alpha + 16 * a_byte) / 4, 1e-15);
  const std::vector<Message> received{{Collective::receive, 4, 2}};
  EXPECT_NEAR(analysis::time_of_messages(received, Transport::nccl, times).seconds(), alpha + 4 * a_byte,
              1e-15);
}

TEST(ExchangeTime, OfWhatWasNotMeasuredIsNotMeasured) {
  const MessageTimes times = times_of_lines(3);
  const auto seconds_of = [&](const Message& message, Transport transport) {
    return analysis::time_of_messages(std::span(&message, 1), transport, times).seconds();
  };
  EXPECT_TRUE(std::isnan(seconds_of({Collective::send, 4, 2}, Transport::mpi)));
  EXPECT_TRUE(std::isnan(seconds_of({Collective::send, 4, 4}, Transport::nccl)));
  EXPECT_TRUE(std::isnan(seconds_of({Collective::send, 4, 2}, Transport::none)));
  EXPECT_EQ(seconds_of({Collective::all_reduce, 4, 1}, Transport::nccl), 0);
}

TEST(PipelineBubble, ByHand) {
  Case what = case_by_hand(64, 2, "pipeline:micro-batches=4", Timing::phases);
  EXPECT_DOUBLE_EQ(analysis::pipeline_of_case(what)->bubble(), 1.0 / 5);
  what.gpus = 4;
  EXPECT_DOUBLE_EQ(analysis::pipeline_of_case(what)->bubble(), 3.0 / 7);
  what.strategy = "hybrid:pipeline=2";
  EXPECT_DOUBLE_EQ(analysis::pipeline_of_case(what)->bubble(), 1.0 / 3);
  for (const char* other : {"ddp", "hybrid:tensor=2", "nobody's"}) {
    what.strategy = other;
    EXPECT_FALSE(analysis::pipeline_of_case(what)) << other;
  }
}

// Two stages of 3 s and 1 s, four micro-batches: 0.75 + 0.25 for the first, 3 x 0.75 for the others.
TEST(PipelineBubble, FollowsTheSlowestStage) {
  const analysis::Pipeline pipeline{2, 4};
  const std::vector<double> nothing{0, 0};
  EXPECT_NEAR(analysis::idle_of_stages(pipeline, std::vector<double>{2, 2}, nothing), pipeline.bubble(),
              1e-12);
  EXPECT_NEAR(analysis::idle_of_stages(pipeline, std::vector<double>{3, 1}, nothing), 1 - 2 / 3.25, 1e-12);
  EXPECT_NEAR(analysis::idle_of_stages(pipeline, std::vector<double>{3, 1}, std::vector<double>{1, 1}),
              1 - 2 / 4.5, 1e-12);
  EXPECT_TRUE(std::isnan(analysis::idle_of_stages(pipeline, std::vector<double>{3, 1},
                                                  std::vector<double>{not_measured, not_measured})));
}

// Exchange and wait are 0.2 and 0.1 of a step there.
TEST(PipelineBubble, IdleIsExchangeAndWait) {
  const Case what = case_by_hand(64, 2, "pipeline", Timing::phases);
  const RecordedRun run = run_by_hand(what, 0, 1e-3);
  const analysis::IdleShare idle = analysis::idle_share(analysis::summarize_case(what, {&run}));
  EXPECT_NEAR(idle.mean, 0.3, 1e-12);
  EXPECT_NEAR(idle.least, 0.3, 1e-12);
  EXPECT_NEAR(idle.most, 0.3, 1e-12);
  const Case total = case_by_hand(64, 2, "pipeline", Timing::steps);
  const RecordedRun without = run_by_hand(total, 0, 1e-3);
  EXPECT_TRUE(std::isnan(analysis::idle_share(analysis::summarize_case(total, {&without})).mean));
}

TEST(CaseExchange, StandsBesideThePhases) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  const Case what = case_by_hand(64, 2, "ddp", Timing::phases);
  results.runs.push_back(run_by_hand(what, 0, 1e-3));
  const analysis::CaseSummary summary = analysis::summarize_case(what, {&results.runs[0]});
  EXPECT_TRUE(std::isnan(analysis::exchange_of(summary, results)->formula.seconds()));

  results.launches[0].message_times = times_of_lines(2);
  const auto exchange = analysis::exchange_of(summary, results);
  ASSERT_TRUE(exchange);
  EXPECT_EQ(exchange->traffic.calls, 1);
  const double bytes =
      sizeof(float) *
      static_cast<double>(ParameterLayout(std::get<ModelShape>(parse_model("medium"))).floats());
  EXPECT_EQ(exchange->traffic.bytes, bytes);
  EXPECT_NEAR(exchange->measured, 0.2e-3, 1e-12);
  // The logarithm between 256 KiB and 1 MiB lies a little above the line.
  EXPECT_NEAR(exchange->formula.seconds(), alpha + a_byte * bytes, 1e-6);
  // 0.2 ms measured of 0.11.
  EXPECT_EQ(analysis::known_differences(summary, *exchange, results),
            std::vector<std::string>{"unexplained"});
}

TEST(CaseExchange, SaysWhatIsKnownOfTheDifference) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  results.launches[0].message_times = times_of_lines(2);
  Case what = case_by_hand(64, 2, "ddp:buckets=1kB:compress=topk:0.001", Timing::phases);
  results.runs.push_back(run_by_hand(what, 0, 1e-3));
  what.graph = false;
  results.runs.push_back(run_by_hand(what, 0, 1e-3));
  const analysis::CaseSummary summary = analysis::summarize_case(what, {&results.runs[1]});
  const auto words = analysis::known_differences(summary, *analysis::exchange_of(summary, results), results);
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[0], "overlap hides part");
  EXPECT_EQ(words[1], "includes compression");
  EXPECT_EQ(words[2], "small messages");
  EXPECT_EQ(words[3], "not in a CUDA graph");
}

}  // namespace
}  // namespace breakeven::analysis
