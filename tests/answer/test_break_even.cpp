// SPDX-License-Identifier: Apache-2.0
// Where speed-ups cross 1: bands of scans by hand, and how often the band of a simulated file holds the
// truth.
#include "src/statistics/break_even.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "src/report/sections/break_evens.h"
#include "src/report/sections/sections.h"
#include "tests/support/results_by_hand.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

// At 16, 32, 64, ...; each speed-up is known to a factor of 1.1.
std::vector<statistics::BreakEvenPoint> scan(const std::vector<double>& speedups) {
  std::vector<statistics::BreakEvenPoint> points;
  double at = 16;
  for (const double speedup : speedups) {
    points.push_back({at, statistics::Interval{speedup, speedup / 1.1, speedup * 1.1, 9}});
    at *= 2;
  }
  return points;
}

std::string whole(double at) { return std::to_string(std::lround(at)); }
std::string words(const std::vector<double>& speedups) {
  return report::break_evens_in_words(scan(speedups), whole);
}

TEST(BreakEven, IsBetweenTheTwoPointsThatItSeparates) {
  const std::vector<statistics::BreakEven> found = statistics::find_break_evens(scan({0.5, 0.8, 1.25, 2}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].below, statistics::Payoff::does_not_pay);
  EXPECT_EQ(found[0].above, statistics::Payoff::pays);
  EXPECT_EQ(found[0].low, 32);
  EXPECT_EQ(found[0].high, 64);
  EXPECT_NEAR(found[0].crossing.centre, 32 * std::sqrt(2.0), 1e-9);  // 0.8 and 1 / 0.8
  EXPECT_FALSE(found[0].crossing.has_bounds());                      // no launches are known
}

TEST(BreakEven, IsAsWideAsWhatIsNotSure) {
  EXPECT_EQ(words({0.5, 0.95, 1.05, 2}), "slower up to 16, faster from 128");
  EXPECT_EQ(words({0.5, 0.95, 1.05, 0.97, 2}), "slower up to 16, faster from 256");
  EXPECT_EQ(words({0.5, 0.5, 1.05}), "slower up to 32, undecided from 64");
  EXPECT_EQ(words({0.97, 1.3, 1.5}), "undecided up to 16, faster from 32");
  EXPECT_EQ(words({0.97, 0.98}), "undecided at every value tested");
}

TEST(BreakEven, APointBeyondAnUndecidedOneDoesNotCount) {
  const std::vector<statistics::BreakEven> found = statistics::find_break_evens(scan({0.97, 0.5, 0.6, 1.5}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].below, statistics::Payoff::undecided);
  EXPECT_TRUE(std::isnan(found[0].low));
  EXPECT_EQ(found[0].high, 128);
}

TEST(BreakEven, ThereCanBeTwoOrNone) {
  EXPECT_EQ(words({1.5, 0.98, 0.5, 1.02, 1.6}), "faster up to 16, slower at 64, faster from 256");
  EXPECT_EQ(words({1.5, 1.02, 1.6}), "faster up to 16, undecided at 32, faster from 64");
  EXPECT_EQ(words({0.5, 0.6}), "slower at every value tested");
  EXPECT_EQ(words({1.5, 1.6}), "faster at every value tested");
  EXPECT_EQ(words({}), "");
}

// What is decided between undecided points is said, so that the words agree with a table of the points.
TEST(BreakEven, DecidedPointsAmongUndecidedOnesAreNamed) {
  EXPECT_EQ(words({0.97, 0.5, 0.98, 1.5}), "undecided up to 16, slower at 32, faster from 128");
  EXPECT_EQ(words({0.5, 1.02, 1.4, 1.03}), "slower up to 16, faster at 64, undecided from 128");
  EXPECT_EQ(words({1.5, 1.02, 1.4, 1.5, 0.99, 1.6}),
            "faster up to 16, undecided at 32, faster from 64 to 128, undecided at 256, faster from 512");
  EXPECT_EQ(words({0.5, 1.02, 1.4, 1.03, 1.5}),
            "slower up to 16, faster at 64, undecided at 128, faster from 256");
  EXPECT_EQ(words({1.02, 0.5, 0.6, 1.03}), "undecided up to 16, slower from 32 to 64, undecided from 128");
}

TEST(BreakEven, WhatWasNotMeasuredDecidesNothing) {
  std::vector<statistics::BreakEvenPoint> points = scan({0.5, 2});
  points[1] = {32, statistics::Interval{}};
  const statistics::BreakEven found = statistics::find_break_evens(points).front();
  EXPECT_EQ(found.above, statistics::Payoff::undecided);
  EXPECT_TRUE(std::isnan(found.crossing.centre));
}

// One GPU takes 1 + b / 512 ms at batch b. Two take `equal` / 1024 more, and half of what the batch adds, so
// that they are as fast at batch `equal`.
constexpr std::uint32_t tested_batches[] = {64, 128, 256, 512, 1024, 2048, 4096};
Results file_with_break_even(double equal, std::uint32_t repeats, std::uint32_t replication) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
    for (std::uint32_t i = 0; i < std::size(tested_batches); ++i) {
      const std::uint32_t place = repeat * 8 + i;
      const double block = std::exp(0.1 * normal(replication, 0, place));
      const double one = 1 + tested_batches[i] / 512.0, two = 1 + equal / 1024 + tested_batches[i] / 1024.0;
      results.runs.push_back(run_by_hand(case_by_hand(tested_batches[i], 1, "single"), repeat,
                                         block * one * std::exp(0.03 * normal(replication, 1, place))));
      results.runs.push_back(run_by_hand(case_by_hand(tested_batches[i], 2, "ddp"), repeat,
                                         block * two * std::exp(0.03 * normal(replication, 2, place))));
    }
  }
  return results;
}

nlohmann::ordered_json band_of_batches(const Results& results) {
  const auto bands = report::render_json(report::tidy_break_evens(analysis::FileAnalysis(results)));
  EXPECT_EQ(bands.size(), 1u);
  return bands[0];
}

// Where it lies between two measured batches, close to one, and below all of them.
TEST(BreakEven, TheBandOfASimulatedFileHoldsTheTruth) {
  constexpr std::uint32_t replications = 200;
  for (const double equal : {40.0, 260.0, 700.0, 2000.0}) {
    std::uint32_t decided = 0;
    const double held = share_of(replications, [&](std::uint32_t i) {
      const auto band = band_of_batches(file_with_break_even(equal, 5, i));
      const bool is_open_below = band["below"] == "undecided", is_open_above = band["above"] == "undecided";
      decided += is_open_below || is_open_above ? 0 : 1;
      if (band["below"] == band["above"] && band["low"].is_null())
        return is_open_below ||
               (band["below"] == "pays" ? equal < tested_batches[0] : equal > *std::rbegin(tested_batches));
      return (is_open_below || (band["below"] == "does_not_pay" && band["low"] <= equal)) &&
             (is_open_above || (band["above"] == "pays" && band["high"] >= equal));
    });
    EXPECT_GE(held, 0.95) << equal;
    const double least =
        equal > tested_batches[0] ? 0.8 : 0;  // else the smallest batch is near the border itself
    EXPECT_GE(decided, least * replications) << equal;
  }
}

// ddp is slower at the small batch and faster at the large one, zero1 the other way round.
TEST(BreakEven, TheFastestIsFasterWhereAnyWayPays) {
  Results results = results_by_hand();
  for (const std::uint32_t batch : {16u, 128u}) {
    for (std::uint32_t repeat = 0; repeat < 4; ++repeat) {
      const double seconds = (batch == 16 ? 5e-3 : 9e-3) * (1 + 0.1 * repeat);
      results.runs.push_back(run_by_hand(case_by_hand(batch, 2, "zero1"), repeat, seconds));
    }
  }
  const analysis::FileAnalysis analysis(results);
  std::vector<std::string> rows;
  for (const auto& row : report::render_json(report::break_even_table(analysis)))
    rows.push_back(row["configuration"].get<std::string>() + ": " + row["break_even"].get<std::string>());
  EXPECT_EQ(rows,
            (std::vector<std::string>{
                "ddp on 2: slower up to 16, the same within 2 % at 64, faster from 128 (break-even 63–65)",
                "zero1 on 2: faster up to 16, slower from 128 (break-even 33–85)",
                "the fastest on 2: faster at every value tested"}));
}

// Of launches that each multiply the speed-up by exp(effect) at all batches, and by a tenth of that at each.
std::vector<statistics::BreakEvenPoint> points_of_launches(double equal, double effect,
                                                           std::uint32_t replication) {
  std::vector<statistics::BreakEvenPoint> points;
  for (std::uint32_t i = 0; i < std::size(tested_batches); ++i) {
    std::vector<statistics::PairedBlock> blocks;
    for (std::uint32_t launch = 0; launch < 5; ++launch) {
      const double common = effect * normal(replication, 0, launch);
      const double own = effect / 10 * normal(replication, 1, launch * 8 + i);
      const double one = 1 + tested_batches[i] / 512.0, two = 1 + equal / 1024 + tested_batches[i] / 1024.0;
      blocks.push_back({launch, 0, one / two * std::exp(common + own)});
    }
    points.push_back({static_cast<double>(tested_batches[i]), statistics::estimate_paired(blocks).ratio});
    points.back().blocks = blocks;
  }
  return points;
}

statistics::Interval only_crossing(const std::vector<statistics::BreakEvenPoint>& points) {
  const std::vector<statistics::BreakEven> found = statistics::find_break_evens(points);
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? statistics::Interval{} : found.front().crossing;
}

// Without noise the line between two batches misses: the curve bends.
TEST(BreakEven, TheCrossingAllowsForABend) {
  const statistics::Interval crossing = only_crossing(points_of_launches(700, 1e-6, 0));
  EXPECT_GT(std::abs(crossing.centre - 700), 1);
  EXPECT_LT(crossing.low, 700);
  EXPECT_GT(crossing.high, 700);
  EXPECT_GT(crossing.low, 512);
  EXPECT_LT(crossing.high, 1024);
}

TEST(BreakEven, TheCrossingHoldsTheTruthBetweenLaunches) {
  constexpr std::uint32_t replications = 400;
  for (const double equal : {300.0, 512.0, 700.0}) {
    std::uint32_t known = 0;
    const double held = share_of(replications, [&](std::uint32_t i) {
      const statistics::Interval crossing = only_crossing(points_of_launches(equal, 0.03, i));
      known += crossing.has_bounds() ? 1 : 0;
      return !crossing.has_bounds() || (crossing.low <= equal && equal <= crossing.high);
    });
    EXPECT_GE(held, 0.93) << equal;  // 0.95 less two standard errors of 400
    EXPECT_GE(known, 0.9 * replications) << equal;
  }
}

// Of a configuration that crosses 1 and one that is 0.97 times as fast as one GPU at every batch.
std::vector<statistics::BreakEvenPoint> fastest_of_two(double equal, std::uint32_t replication) {
  std::vector<statistics::BreakEvenPoint> points = points_of_launches(equal, 0.005, replication);
  for (statistics::BreakEvenPoint& point : points) {
    point.rivals["zero1"] = point.blocks;
    for (std::uint32_t launch = 0; launch < 5; ++launch) {
      const double own = 0.003 * normal(replication, 2, launch * 8 + static_cast<std::uint32_t>(point.at));
      point.rivals["tensor"].push_back({launch, 0, 0.97 * std::exp(own)});
    }
    const statistics::Interval flat = statistics::estimate_paired(point.rivals["tensor"]).ratio;
    if (flat.centre <= point.centre) continue;
    const auto rivals = point.rivals;
    point = {point.at, flat};
    point.rivals = rivals;
    point.blocks = rivals.at("tensor");
  }
  return points;
}

// A line from the one configuration to the other crosses too early.
TEST(BreakEven, TheFastestCrossesWhereItsFirstConfigurationDoes) {
  const double held = share_of(400, [](std::uint32_t i) {
    const statistics::Interval crossing = only_crossing(fastest_of_two(900, i));
    return crossing.low <= 900 && 900 <= crossing.high;
  });
  EXPECT_GE(held, 0.93);
  std::vector<statistics::BreakEvenPoint> points = fastest_of_two(900, 0);
  EXPECT_NEAR(only_crossing(points).centre, 900, 45);
  for (statistics::BreakEvenPoint& point : points) point.rivals.clear();
  EXPECT_LT(only_crossing(points).centre, 750) << "the check can fail";
}

// "Undecided up to 1024" and "break-even below 800" would contradict each other.
TEST(BreakEven, NoBoundOfTheCrossingExcludesAnUndecidedPlaceThatIsNamed) {
  const std::vector<statistics::BreakEvenPoint> points = points_of_launches(700, 1e-6, 0);
  const auto undecided_where = [&](const auto& is_there) {
    std::vector<statistics::BreakEvenPoint> changed = points;
    for (statistics::BreakEvenPoint& point : changed)
      if (is_there(point.at)) point.verdict = statistics::Payoff::undecided;
    return report::crossing_in_words(changed, whole);
  };
  EXPECT_EQ(undecided_where([](double at) { return at <= 512; }).find("below "), 0u);
  EXPECT_EQ(undecided_where([](double at) { return at <= 1024; }), "");
  EXPECT_EQ(undecided_where([](double at) { return at >= 1024; }).find("above "), 0u);
  EXPECT_EQ(undecided_where([](double at) { return at >= 512; }), "");
  const std::string whole_interval = report::crossing_in_words(points, whole);
  EXPECT_EQ(undecided_where([](double at) { return at == 512 || at == 1024; }), whole_interval);
}

// To so many digits as its width supports, outward.
TEST(BreakEven, TheCrossingIsWrittenAsAnInterval) {
  const std::vector<statistics::BreakEvenPoint> points = points_of_launches(700, 1e-6, 0);
  const statistics::Interval crossing = only_crossing(points);
  const std::string text = report::crossing_in_words(points, whole);
  const double low = std::stod(text), high = std::stod(text.substr(text.find("–") + 3));
  EXPECT_LE(low, crossing.low);
  EXPECT_GE(high, crossing.high);
  EXPECT_LE(high - low, 1.5 * (crossing.high - crossing.low) + 20) << text;
}

}  // namespace
}  // namespace breakeven
