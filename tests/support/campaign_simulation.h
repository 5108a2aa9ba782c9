// SPDX-License-Identifier: Apache-2.0
// Made-up campaigns of several launches, and how often the intervals of their reports hold the truth.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "src/analysis/file_analysis.h"
#include "src/report/sections/break_even_curves.h"
#include "src/report/sections/sections.h"
#include "tests/support/results_by_hand.h"
#include "tests/support/simulation.h"

namespace breakeven {

// What one draw of the launch effect multiplies. What one GPU and two have in common cancels in their ratio.
// What is a case's own does not; what is a configuration's own also moves the speed-ups at all batches
// together.
enum class LaunchEffect { of_case, of_configuration, common };

struct Campaign {
  std::uint32_t launches = 1;
  LaunchEffect effect = LaunchEffect::of_case;
};

inline constexpr std::uint32_t campaign_repeats = 5;  // of a case in a launch
inline constexpr double launch_deviation = 0.03;      // of the logarithm of a step time, as the next
inline constexpr double run_deviation = 0.01;
inline constexpr std::array<std::uint32_t, 4> campaign_batches{64, 256, 1024, 4096};
inline constexpr std::uint32_t judged_batch = 1024;

// Where two GPUs are as fast as one: anywhere between 128 and 2048.
inline double equal_batch(std::uint32_t replication) {
  return 128 * std::pow(16, uniform(replication, 0, 0));
}

// How far the logarithm of the speed-up lies from a line between the measured batches around the break-even,
// there. Its second derivative has the deviation that crossing.cpp takes from recorded files.
inline double bump(std::uint32_t replication) {
  const double equal = equal_batch(replication);
  const auto above = std::ranges::upper_bound(campaign_batches, equal);
  const double bend = 0.12 * normal(replication, 99, 0);
  return bend * std::log(equal / *(above - 1)) * std::log(*above / equal) / 2;
}

// Doubling the batch makes two GPUs 1.2 times as fast in comparison: a line in the logarithms, as a report
// draws it between measured batches, from which the curve between them departs.
inline double true_speedup(std::uint32_t batch, std::uint32_t replication) {
  return std::pow(batch / equal_batch(replication), std::log2(1.2)) * std::exp(-bump(replication));
}

inline double true_seconds(std::uint32_t batch, std::uint32_t gpus, std::uint32_t replication) {
  const double one = 1e-3 * (1 + batch / 512.0);
  return gpus == 1 ? one : one / true_speedup(batch, replication);
}

// Of the logarithm.
inline double launch_shift(LaunchEffect effect, std::uint32_t launch, std::uint32_t place, std::uint32_t gpus,
                           std::uint32_t replication) {
  std::uint32_t series = 100;  // those of runs are below
  if (effect != LaunchEffect::common) series += 10 * gpus;
  if (effect == LaunchEffect::of_case) series += 1 + place;
  return launch_deviation * normal(replication, series, launch);
}

// `single` and ddp on two GPUs at every batch.
inline Results simulated_campaign(const Campaign& campaign, std::uint32_t replication) {
  Results results;
  for (std::uint32_t launch = 0; launch < campaign.launches; ++launch) {
    results.launches.push_back(launch_by_hand(2));
    for (std::uint32_t run = 0; run < campaign_repeats * campaign_batches.size(); ++run) {
      const auto place = static_cast<std::uint32_t>(run % campaign_batches.size());
      const std::uint32_t batch = campaign_batches[place];
      for (const std::uint32_t gpus : {1u, 2u}) {
        const double shift = launch_shift(campaign.effect, launch, place, gpus, replication) +
                             run_deviation * normal(replication, gpus, 100 * launch + run);
        results.runs.push_back(
            run_by_hand(case_by_hand(batch, static_cast<int>(gpus), gpus == 1 ? "single" : "ddp"),
                        static_cast<std::uint32_t>(run / campaign_batches.size()),
                        true_seconds(batch, gpus, replication) * std::exp(shift), launch));
      }
    }
  }
  return results;
}

// Whether "slower up to" and "faster from" are both right. What is undecided is never wrong.
inline bool sides_are_right(const analysis::FileAnalysis& analysis, double equal) {
  const auto bands = report::render_json(report::tidy_break_evens(analysis));
  const auto& band = bands.at(0);
  const auto end = [&](const char* key, double otherwise) {
    return band[key].is_null() ? otherwise : band[key].get<double>();
  };
  if (band["low"].is_null() && band["high"].is_null()) {  // every batch is on one side, or none is decided
    const std::string side = band["below"];
    return side == "undecided" || (side == "pays") == (equal < campaign_batches.front());
  }
  return (band["below"] == "undecided" || (band["below"] == "does_not_pay" && end("low", 0) < equal)) &&
         (band["above"] == "undecided" ||
          (band["above"] == "pays" && end("high", std::numeric_limits<double>::infinity()) > equal));
}

// What the analysis of one campaign says of ddp on two GPUs.
struct Judged {
  bool step_time = false, speedup = false;  // at the judged batch
  bool break_even = false, sides = false;
  statistics::Interval crossing{};
};

inline Judged judge_campaign(const Campaign& campaign, std::uint32_t replication) {
  const Results results = simulated_campaign(campaign, replication);
  const analysis::FileAnalysis analysis(results);
  // The mean of the lognormal factor.
  const double bias = std::exp((launch_deviation * launch_deviation + run_deviation * run_deviation) / 2);
  Judged judged;
  for (const analysis::CaseResult& line : analysis.groups().at(0).lines) {
    const std::uint32_t batch = line.measured->what.batch;
    if (batch != judged_batch) continue;
    judged.step_time =
        holds(line.measured->timed().step.seconds(), bias * true_seconds(batch, 2, replication));
    judged.speedup = holds(line.comparison.speedup.ratio, true_speedup(batch, replication));
  }
  const auto curves = report::curves_along_batches(analysis, analysis.groups().at(0));
  const auto bands = statistics::find_break_evens(curves.at(0).points);
  if (bands.size() == 1) judged.crossing = bands[0].crossing;
  judged.break_even = holds(judged.crossing, equal_batch(replication));
  judged.sides = sides_are_right(analysis, equal_batch(replication));
  return judged;
}

// The shares of campaigns in which each is right; of the break-even's interval, of those that give one.
struct Coverage {
  double step_time = 0, speedup = 0, break_even = 0, sides = 0;
  double given = 0;  // share of campaigns with an interval of the break-even
};

inline Coverage coverage_of(const Campaign& campaign, std::uint32_t replications) {
  Coverage coverage;
  for (std::uint32_t i = 0; i < replications; ++i) {
    const Judged judged = judge_campaign(campaign, i);
    coverage.step_time += judged.step_time ? 1.0 / replications : 0;
    coverage.speedup += judged.speedup ? 1.0 / replications : 0;
    coverage.break_even += judged.break_even ? 1.0 / replications : 0;
    coverage.sides += judged.sides ? 1.0 / replications : 0;
    coverage.given += judged.crossing.has_bounds() ? 1.0 / replications : 0;
  }
  coverage.break_even /= coverage.given;
  return coverage;
}

}  // namespace breakeven
