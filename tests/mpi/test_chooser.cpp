// SPDX-License-Identifier: Apache-2.0
// `auto` on several ranks: all of them choose alike, whatever clock each of them has.
#include <gtest/gtest.h>

#include <cmath>

#include "mpi/pack.h"
#include "src/autotune/candidates.h"
#include "src/autotune/chooser.h"
#include "src/autotune/probe.h"
#include "src/measure/run_context.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

Case case_on(const std::string& strategy, int gpus) {
  Case what;
  what.model = "37-31-19-5";
  what.batch = 24;
  what.gpus = gpus;
  what.strategy = strategy;
  what.precision = Precision::fp32;
  what.gemm = GemmKernel::openblas;
  what.transport = gpus > 1 ? Transport::mpi : Transport::none;
  what.scaling = Scaling::strong;
  what.timing = Timing::steps;
  what.data = DataPlacement::resident;
  return what;
}

std::vector<Case> candidates_on(int gpus) {
  std::vector<Case> candidates{case_on("single", 1)};
  if (gpus > 1)
    for (const char* strategy : {"ddp", "zero1", "parameter-server"})
      candidates.push_back(case_on(strategy, gpus));
  return candidates;
}

Roofline roofline() {
  Roofline c;
  c.copy_bytes_per_second = 1e10;
  c.flops(Precision::fp32) = 1e10;
  c.node_seconds = 1e-6;
  return c;
}

MessageTimes message_times(int ranks) {
  MessageTimes times(ranks);
  std::ranges::fill(times.seconds, 1e-5);
  return times;
}

// What the planted strategy takes is 1 ms, the others 2 ms, on rank 0; the other ranks' clocks are wrong.
autotune::Chooser::ProbeCase planted(const std::string& fastest) {
  return [fastest](const Case& what, std::uint32_t) {
    const double seconds = what.strategy == fastest ? 1e-3 : 2e-3;
    return std::vector<double>(autotune::probe_batches, test_session().is_root() ? seconds : 3e-3 - seconds);
  };
}

TEST(ChooserTest, AllRanksChooseTheFastestOfRankZero) {
  const int ranks = test_session().size();
  const MessageTimes times = message_times(ranks);
  for (const Case& wanted : candidates_on(ranks)) {
    autotune::Chooser chooser(test_session(), {10, 5}, roofline(), times, {}, planted(wanted.strategy));
    const Case asked = case_on("auto", ranks);
    const autotune::Choice choice = chooser.choose(asked, candidates_on(ranks));
    EXPECT_EQ(choice.what.strategy, "auto");
    EXPECT_EQ(choice.what.chosen, wanted.strategy);
    EXPECT_EQ(choice.what.gpus, wanted.gpus);
    EXPECT_EQ(choice.what.transport, wanted.transport);
    EXPECT_EQ(trained_strategy(choice.what), wanted.strategy);
    // The numbers that the file would hold, and what choosing cost, are the same everywhere.
    std::vector<double> numbers{choice.seconds};
    for (const AutoCandidate& candidate : choice.candidates) {
      numbers.push_back(candidate.predicted_seconds);
      if (ranks > 1) numbers.push_back(candidate.probed_seconds);
    }
    const std::vector<double> all = gather_records(test_session().world(), numbers);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], numbers[i % numbers.size()]) << i;
  }
}

TEST(ChooserTest, EvidenceSparesProbes) {
  const int ranks = test_session().size();
  if (ranks < 2) GTEST_SKIP() << "only one configuration";
  const MessageTimes times = message_times(ranks);
  // Steps as long as the terms say, ten times so for all ways but `single`: predictions are narrow.
  std::vector<predict::Observation> known;
  for (const std::uint32_t batch : {12u, 24u, 48u, 96u, 192u}) {
    for (Case what : candidates_on(ranks)) {
      what.batch = batch;
      const predict::StepTerms terms = *predict::terms_of_case(what, roofline(), times);
      known.push_back({what, terms, (what.gpus > 1 ? 10 : 1) * predict::sum_of(terms)});
    }
  }
  int probes = 0;
  autotune::Chooser chooser(test_session(), {10, 5}, roofline(), times, known,
                            [&](const Case&, std::uint32_t) {
                              ++probes;
                              return std::vector<double>(autotune::probe_batches, 1e-3);
                            });
  const autotune::Choice choice = chooser.choose(case_on("auto", ranks), candidates_on(ranks));
  EXPECT_EQ(choice.what.chosen, "single");
  EXPECT_EQ(probes, 0);
  EXPECT_TRUE(choice.candidates[0].predicted_high < choice.candidates[1].predicted_low);
}

TEST(ChooserTest, AProbeTimesRealSteps) {
  const int ranks = test_session().size();
  const std::unique_ptr<Device> device = make_test_device();
  measure::RunOptions options = measure::run_defaults();
  options.samples = 200;
  options.until = QualityTarget{};  // of the launch, and none of the probe's
  measure::RunContext bench(test_session(), *device, options, nullptr);
  const bool cuda = testing_on_cuda();
  for (Case what : candidates_on(ranks)) {
    what.gemm = device->gemm_kernels(Precision::fp32).front();
    if (cuda && what.gpus > 1) what.transport = Transport::nccl;
    const std::vector<double> batches = autotune::probe(what, 7, bench);
    EXPECT_EQ(batches.size(), test_session().is_root() ? autotune::probe_batches : 0u);
    for (const double seconds : batches) EXPECT_TRUE(seconds > 0 && seconds < 1) << seconds;
  }
  EXPECT_EQ(autotune::steps_of_probe(case_on("ddp", 2), 7), 10u);
  EXPECT_EQ(autotune::steps_of_probe(case_on("local-sgd:period=4", 2), 7), 20u);
}

TEST(DistinctConfigurations, TwoNamesOfOneConfigurationAreOne) {
  const std::vector<Case> named{
      case_on("single", 1),          case_on("ddp", 2),   case_on("ddp:buckets=16MB", 2),
      case_on("ddp:buckets=1kB", 2), case_on("zero1", 2), case_on("tensor", 2),
      case_on("hybrid:tensor=2", 2)};
  const std::vector<Case> distinct = autotune::distinct_configurations(named);
  ASSERT_EQ(distinct.size(), 5u);
  EXPECT_EQ(distinct[2].strategy, "ddp:buckets=1kB");
}

}  // namespace
}  // namespace breakeven
