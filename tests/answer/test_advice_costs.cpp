// SPDX-License-Identifier: Apache-2.0
// From where on more GPUs are worth their cost: the formulas, the articles' purchase calculation, and jobs on
// a made-up machine whose truth is known.
#include <gtest/gtest.h>

#include <cmath>

#include "src/predict/advisor.h"
#include "src/predict/job.h"
#include "src/predict/scan.h"
#include "src/report/words/decision_words.h"
#include "src/statistics/break_even.h"
#include "tests/support/machine_by_hand.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr statistics::Interval speedup{1.5, 1.2, 1.8, 9};

TEST(BreakEvenCost, GpuHoursAreTheEfficiency) {
  EXPECT_DOUBLE_EQ(statistics::gain_in_gpu_hours(speedup, 2).centre, 0.75);
  EXPECT_EQ(verdict_of(statistics::gain_in_gpu_hours(speedup, 2)), statistics::Payoff::does_not_pay);
  EXPECT_EQ(verdict_of(statistics::gain_in_gpu_hours({2.2, 2.1, 2.3, 9}, 2)), statistics::Payoff::pays);
}

TEST(BreakEvenCost, MoneyIsTheGpusUntilWaitingCosts) {
  EXPECT_DOUBLE_EQ(statistics::speedup_needed(4, {2.5, 0}), 4);
  EXPECT_DOUBLE_EQ(statistics::speedup_needed(4, {2.5, 1e9}), 1 + 7.5 / (1e9 + 2.5));
  // At the value of an hour that is needed, both cost the same.
  const statistics::Interval needed = statistics::waiting_cost_needed(speedup, 2, 2.5);
  EXPECT_NEAR(statistics::gain_in_money(speedup, 2, {2.5, needed.centre}).centre, 1, 1e-12);
  EXPECT_NEAR(statistics::gain_in_money(speedup, 2, {2.5, needed.low}).high, 1, 1e-12);
  EXPECT_NEAR(statistics::gain_in_money(speedup, 2, {2.5, needed.high}).low, 1, 1e-12);
  EXPECT_EQ(statistics::waiting_cost_needed({1.1, 0.9, 2.1, 9}, 2, 1).high, never);
  EXPECT_EQ(statistics::waiting_cost_needed({1.1, 0.9, 2.1, 9}, 2, 1).low, 0);
  EXPECT_TRUE(std::isnan(statistics::waiting_cost_needed(statistics::Interval{}, 2, 1).centre));
}

TEST(BreakEvenCost, ALongerStartIsEarnedBack) {
  const statistics::Interval one{1e-3, 1e-3, 1e-3, 9}, extra{2, 2, 2, 9};
  const statistics::Interval samples = statistics::samples_needed(speedup, one, extra);
  EXPECT_NEAR(samples.centre * 1e-3, 2 + samples.centre * 1e-3 / 1.5, 1e-9);
  EXPECT_LT(samples.low, samples.centre);
  EXPECT_LT(samples.centre, samples.high);
  EXPECT_EQ(statistics::samples_needed({0.8, 0.7, 0.9, 9}, one, extra).low, never);
  EXPECT_EQ(statistics::samples_needed(speedup, one, {-1, -1, -1, 9}).high, 0);
  EXPECT_TRUE(std::isnan(statistics::samples_needed(statistics::Interval{}, one, extra).centre));
}

// 800 and 1600 for the machines, 500 and 200 a month, 20 jobs a month that take 10 hours on one GPU.
constexpr predict::Purchase articles{.hardware_of_one = 800,
                                     .hardware_of_more = 1600,
                                     .operating_a_month = 700,
                                     .hour_value = 100,
                                     .jobs_a_month = 20};

TEST(Purchase, TheArticlesExampleNeverBreaksEven) {
  const predict::PurchaseOutcome outcome = predict::outcome_of(articles, 10, 12, 0);
  EXPECT_FALSE(outcome.months_by_articles);
  EXPECT_FALSE(outcome.payback_months);
  EXPECT_FALSE(outcome.jobs_needed);
  EXPECT_DOUBLE_EQ(outcome.hours_saved_a_month, -40);
}

// By the articles' formula: 700 / (20 * 4 * 100 - 800 / 24 - 700).
TEST(Purchase, TheArticlesFormulaWhereTimeIsSaved) {
  const predict::PurchaseOutcome outcome = predict::outcome_of(articles, 10, 6, 0);
  EXPECT_NEAR(outcome.net_a_month, 8000 - 800 / 24.0 - 700, 1e-9);
  EXPECT_NEAR(*outcome.months_by_articles, 700 / (8000 - 800 / 24.0 - 700), 1e-12);
  EXPECT_NEAR(*outcome.payback_months, 800 / 7300.0, 1e-12);
  EXPECT_NEAR(*outcome.jobs_needed, (800 / 24.0 + 700) / 400, 1e-12);
}

TEST(Purchase, AtTheJobsNeededTheNetIsNothing) {
  predict::Purchase purchase = articles;
  purchase.kilowatt_hour_price = 0.3;
  purchase.jobs_a_month = *predict::outcome_of(purchase, 10, 9.9, 5).jobs_needed;
  EXPECT_NEAR(predict::outcome_of(purchase, 10, 9.9, 5).net_a_month, 0, 1e-9);
  EXPECT_FALSE(
      predict::outcome_of(purchase, 10, 9.9, 500).jobs_needed);  // energy eats what the hours are worth
}

// Steps of 1 ms at batch 1024 and 2 ms at 2048; ddp on two is 1.6 times as fast. Connecting takes 1 s. At
// batch 1024 a GPU takes 400 W, and elsewhere energy was not measured.
Results machine_by_hand() {
  Results results;
  Launch launch = launch_by_hand(2);
  launch.roofline = {roofline_by_hand(), roofline_by_hand()};
  launch.message_times = message_times_by_hand();
  launch.message_times.connect_seconds[launch.message_times.place_of(1, 2)] = 1.0;
  results.launches.push_back(launch);
  for (const std::uint32_t batch : {1024u, 2048u}) {
    for (std::uint32_t repeat = 0; repeat < 4; ++repeat) {
      for (const int gpus : {1, 2}) {
        const double seconds = batch / 1024e3 / (gpus == 1 ? 1 : 1.6) * (1 + 1e-4 * repeat);
        results.runs.push_back(
            run_by_hand(case_by_hand(batch, gpus, gpus == 1 ? "single" : "ddp"), repeat, seconds));
        for (RunRecord& rank : results.runs.back().ranks)
          if (batch == 1024) rank.telemetry.energy_joules = 400 * seconds * rank.steps;
      }
    }
  }
  return results;
}

predict::Query question_of(const std::string& model, std::uint32_t batch) {
  predict::Query query;
  query.model = model;
  query.batch = batch;
  return query;
}

class Jobs : public testing::Test {
 protected:
  const predict::Configuration& way_on(int gpus) const {
    return *std::ranges::find_if(ways,
                                 [&](const predict::Configuration& way) { return way.what.gpus == gpus; });
  }
  const Results results = machine_by_hand();
  const analysis::FileAnalysis file{results};
  const predict::Advisor advisor{file};
  const predict::Query query = question_of("medium", 1024);
  const std::vector<predict::Configuration> ways = advisor.configurations(query);
};

TEST_F(Jobs, StartIsConnectingSetUpAndFirstStep) {
  ASSERT_EQ(ways.size(), 2u);
  EXPECT_NEAR(predict::start_seconds(way_on(1), advisor).centre, 0.51, 1e-12);
  EXPECT_NEAR(predict::start_seconds(way_on(2), advisor).centre, 1.51, 1e-12);
}

// As --loss-budget measures it; here faster than the single GPU, which stays the base all the same.
TEST_F(Jobs, AnExchangingStrategyOnOneGpuIsNoWay) {
  Results with_machinery = results;
  for (std::uint32_t repeat = 0; repeat < 4; ++repeat)
    with_machinery.runs.push_back(run_by_hand(case_by_hand(1024, 1, "ddp"), repeat, 1e-4));
  const analysis::FileAnalysis file_with_machinery(with_machinery);
  const std::vector<predict::Configuration> found =
      predict::Advisor(file_with_machinery).configurations(query);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found.front().what.strategy, "ddp");
  EXPECT_EQ(found.front().what.gpus, 2);
  EXPECT_NEAR(found.front().speedup.centre, 1.6, 1e-3);
}

TEST_F(Jobs, EnergyIsMeasuredOrOfTheSameUtilization) {
  const predict::Energy one = predict::energy_of(way_on(1), advisor);
  EXPECT_TRUE(one.is_measured);
  EXPECT_NEAR(one.joules_a_sample.centre, 400 * way_on(1).seconds.centre / 1024, 1e-12);
  for (const std::uint32_t batch : {1536u, 2048u}) {
    for (const predict::Configuration& way : advisor.configurations(question_of("medium", batch))) {
      const predict::Energy predicted = predict::energy_of(way, advisor);
      EXPECT_FALSE(predicted.is_measured);
      EXPECT_NEAR(predicted.joules_a_sample.centre, 400 * way.seconds.centre * way.what.gpus / batch, 1e-9);
    }
  }
  const auto small = advisor.configurations(question_of("16-16-16", 8));  // hardly any arithmetic
  ASSERT_FALSE(small.empty());
  EXPECT_TRUE(std::isnan(predict::energy_of(small.front(), advisor).joules_a_sample.centre));
}

// As in the report: two launches do not say how much launches differ. The second one's runs were too short
// for the energy counter, which takes nothing from the first one's.
TEST_F(Jobs, ASecondLaunchIsNoInterval) {
  Results twice = results;
  twice.launches.push_back(twice.launches.front());
  for (const RecordedRun& run : results.runs) {
    RecordedRun& again = twice.runs.emplace_back(run);
    again.launch = 1;
    for (RunRecord& rank : again.ranks) rank.telemetry.energy_joules = not_measured;
  }
  const analysis::FileAnalysis file_of_both(twice);
  const predict::Advisor of_both(file_of_both);
  const std::vector<predict::Configuration> both = of_both.configurations(query);
  const predict::Configuration& more =
      *std::ranges::find_if(both, [](const predict::Configuration& way) { return way.what.gpus == 2; });
  const auto measured = std::ranges::find(of_both.cases(), more.what, &analysis::MeasuredCase::what);
  const statistics::Decision in_report = analysis::compare_with_base(*measured, of_both.cases()).decision;
  EXPECT_EQ(phrase_of(more.decision), "undecided, 1 more launch");
  EXPECT_EQ(phrase_of(in_report), phrase_of(more.decision));
  EXPECT_EQ(way_on(2).decision.verdict, statistics::Payoff::pays);
  const predict::Energy energy = predict::energy_of(more, of_both),
                        alone = predict::energy_of(way_on(2), advisor);
  EXPECT_EQ(energy.runs, 4u);
  EXPECT_EQ(energy.of_runs, 8u);
  EXPECT_EQ(energy.joules_a_sample.low, alone.joules_a_sample.low);
  EXPECT_EQ(energy.joules_a_sample.high, alone.joules_a_sample.high);
}

// 1,024,000 samples take 1000 steps: 1.51 s on one GPU, 2.135 s on two. 102,400,000: 100.51 s and 64.01 s.
TEST_F(Jobs, TheCheapestThatIsInTime) {
  const auto best = [&](double samples, double deadline, const statistics::HourlyCost& cost) {
    return predict::best_in_time(predict::estimate_jobs(ways, {samples, deadline, cost}, advisor))
        ->configuration->what.gpus;
  };
  EXPECT_EQ(best(102.4e6, 120, {}), 1);  // GPU-hours
  EXPECT_EQ(best(102.4e6, 80, {}), 2);
  EXPECT_EQ(best(102.4e6, 10, {}), 2);  // too late, but nearest
  EXPECT_EQ(best(1.024e6, 10, {1, 1e6}), 1);
  EXPECT_EQ(best(102.4e6, 120, {1, 1e6}), 2);  // who waits is dear
}

TEST_F(Jobs, WhatWouldHaveToChange) {
  const predict::Job job{102.4e6, 33.51, {}};
  const std::vector<predict::JobEstimate> jobs = predict::estimate_jobs(ways, job, advisor);
  const predict::JobEstimate* nearest = predict::best_in_time(jobs);
  ASSERT_EQ(nearest->in_time, predict::InTime::no);
  const predict::Rescue rescue = predict::rescue_of(*nearest, job, query, advisor);
  EXPECT_NEAR(rescue.samples / (32 / 0.625e-3 * 1024), 1, 1e-3);
  EXPECT_NEAR(rescue.speedup, 62.5 / 32, 1e-3);
  EXPECT_EQ(rescue.batch, 0u);
  const predict::Rescue none =
      predict::rescue_of(*nearest, {102.4e6, 1, {}}, query, advisor);  // the start alone takes longer
  EXPECT_TRUE(std::isnan(none.samples));
}

TEST_F(Jobs, AJobOfTheLengthNeededTakesBothAsLong) {
  const predict::Configuration &one = way_on(1), &more = way_on(2);
  const statistics::Interval start = predict::start_seconds(one, advisor),
                             longer = predict::start_seconds(more, advisor);
  const double extra = longer.centre - start.centre;
  const double samples = statistics::samples_needed(more.speedup, statistics::times(one.seconds, 1 / 1024.0),
                                                    {extra, extra, extra, 0})
                             .centre;
  EXPECT_NEAR(predict::job_seconds(one, samples, start).centre,
              predict::job_seconds(more, samples, longer).centre, 1e-6);
}

// Of this machine's own links the measurement is known; of others a prediction.
TEST_F(Jobs, AScanOfLinksHasTheAnswerItself) {
  for (const predict::ScanPoint& point : predict::scan_links(advisor, query)) {
    EXPECT_EQ(point.is_measured, point.place.at == 1) << point.place.at;
    if (point.place.at == 1) {
      EXPECT_EQ(point.speedup.low, way_on(2).speedup.low);
      EXPECT_EQ(point.place.verdict, way_on(2).decision.verdict);
    }
  }
}

// Not those of both sides' times as if they were independent.
TEST_F(Jobs, EverythingHasTheBoundsOfOneSpeedup) {
  predict::Configuration one = way_on(1), more = way_on(2);
  one.seconds = {1e-3, 0.7e-3, 1.3e-3, 0};  // wide, as of a prediction
  more.speedup = {0.81, 0.70, 0.95, 0};
  const predict::JobPair pair(one, more, advisor);
  const statistics::Interval gain = pair.gain(1e12);
  EXPECT_NEAR(gain.centre, 0.81, 1e-6);
  EXPECT_NEAR(gain.low, 0.70, 1e-6);
  EXPECT_NEAR(gain.high, 0.95, 1e-6);
  EXPECT_EQ(pair.samples_needed().low, never);
  const predict::PurchaseBand band = pair.purchase(articles, 1e12, 0);
  EXPECT_LT(band.at_worst.net_a_month, band.at_centre.net_a_month);
  EXPECT_LT(band.at_centre.net_a_month, band.at_best.net_a_month);
  EXPECT_FALSE(band.at_best.jobs_needed) << "more GPUs are slower over the whole interval";
  more.speedup = {1.6, 1.5, 1.7, 0};
  const predict::PurchaseBand saving = predict::JobPair(one, more, advisor).purchase(articles, 1e12, 0);
  const double hours = 1e12 / 1024 * 1.3e-3 / 3600;
  EXPECT_NEAR(saving.at_best.hours_saved_a_month, 20 * (hours * (1 - 1 / 1.7) - 1 / 3600.0), 1e-6);
}

TEST(Decisions, SayWhatACorrectionTookAndWhatToMeasure) {
  const statistics::Interval pays{1.11, 1.03, 1.19, 3};
  const statistics::Decision corrected{statistics::Payoff::undecided, 1, statistics::SamplingUnit::launch};
  EXPECT_NE(report::why_undecided(corrected, pays).find("interval says that it pays. Corrected for all"),
            std::string::npos);
  EXPECT_EQ(report::why_undecided({statistics::Payoff::pays}, pays), "");
  EXPECT_EQ(report::why_undecided(corrected, {1.11, 0.9, 1.3, 3}), "");
  using report::RecordedBy;
  const auto says = [&](RecordedBy program, const std::string& words) {
    return report::how_to_decide({{}, corrected}, program).find(words) != std::string::npos;
  };
  EXPECT_TRUE(says(RecordedBy::run, "repeat the breakeven run command with --append"));
  EXPECT_TRUE(
      says(RecordedBy::wrap, "To measure them, repeat the command with more --launches and --resume."));
  EXPECT_TRUE(says(RecordedBy::recorder, "To measure them, run the program again with the same output."));
  EXPECT_EQ(
      report::how_to_decide({{statistics::Payoff::undecided}, {statistics::Payoff::pays}}, RecordedBy::run),
      "");
}

TEST(AdviceCosts, SayWhyEnergyIsNotKnown) {
  Results results = machine_by_hand();
  for (RecordedRun& run : results.runs)
    for (RunRecord& rank : run.ranks) rank.telemetry.energy_joules = not_measured;
  const auto says = [&](const std::string& why) {
    return contains(advice_of(results, "medium", 1024), "By energy: not known, because " + why + ".");
  };
  EXPECT_TRUE(says("no energy counter was read"));
  for (RecordedRun& run : results.runs)
    for (RunRecord& rank : run.ranks) rank.telemetry.power_watts = 400;
  EXPECT_TRUE(says("no comparable run was long enough for the energy counter"));
  for (RankInfo& rank : results.launches[0].topology.ranks) rank.device.backend = "host";
  EXPECT_TRUE(says("processor cores have no energy counter"));
}

}  // namespace
}  // namespace breakeven
