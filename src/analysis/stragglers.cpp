// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/stragglers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <boost/math/distributions/binomial.hpp>

#include "src/statistics/autocorrelation.h"
#include "src/statistics/payoff.h"
#include "src/statistics/sample.h"

namespace breakeven::analysis {
namespace {

// The number of effective steps is an estimate too. At its full value, chance differences between runs raised
// an alarm in up to 12 % of simulated cases; at half of it in up to 6 % (four runs, two ranks).
constexpr double step_credit = 0.5;

using OwnSeconds = std::vector<std::vector<double>>;  // [rank][step] of one run

OwnSeconds own_of(const RecordedRun& run) {
  OwnSeconds own;
  for (const RunRecord& rank : run.ranks) own.push_back(own_seconds(rank));
  return own;
}

// Whether a rank that is the longest in all units would be beyond chance, at Holm's strictest level.
bool can_decide(double units, std::size_t ranks, std::size_t family) {
  return std::pow(static_cast<double>(ranks), -std::floor(units)) * static_cast<double>(family) <=
         1 - statistics::confidence;
}

// A rank's own work less the mean of all ranks, step by step, the runs one after another. If ranks lead for
// whole runs, the series is correlated over the length of a run.
std::vector<double> lead_of(std::size_t rank, const std::vector<OwnSeconds>& runs) {
  std::vector<double> lead;
  for (const OwnSeconds& own : runs) {
    for (std::size_t step = 0; step < own[rank].size(); ++step) {
      double all = 0;
      for (const std::vector<double>& other : own) all += other[step];
      lead.push_back(own[rank][step] - all / static_cast<double>(own.size()));
    }
  }
  return lead;
}

// NaN where there are too few to tell.
double effective_steps(const std::vector<OwnSeconds>& runs) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t rank = 0; rank < runs.front().size(); ++rank) {
    const double effective = statistics::effective_sample_size(lead_of(rank, runs));
    if (!(effective >= least)) least = effective;
  }
  return least;
}

// The one that is longer than all others; nothing if two are the longest.
std::optional<std::size_t> longest_of(const std::vector<double>& of_ranks) {
  const auto longest = std::ranges::max_element(of_ranks);
  if (std::ranges::count(of_ranks, *longest) != 1) return std::nullopt;
  return static_cast<std::size_t>(longest - of_ranks.begin());
}

// [unit]: of the runs, or of all their steps.
std::vector<std::vector<double>> own_by_unit(const std::vector<OwnSeconds>& runs, bool by_runs) {
  std::vector<std::vector<double>> units;
  for (const OwnSeconds& own : runs) {
    const std::size_t in_run = by_runs ? 1 : own.front().size();
    for (std::size_t unit = 0; unit < in_run; ++unit) {
      units.emplace_back();
      for (const std::vector<double>& rank : own)
        units.back().push_back(by_runs ? statistics::mean(rank) : rank[unit]);
    }
  }
  return units;
}

void count_longest(const std::vector<OwnSeconds>& runs, CaseWork& work) {
  const std::vector<std::vector<double>> units = own_by_unit(runs, work.by_runs);
  std::vector<std::size_t> longest_in(work.ranks.size(), 0);
  for (const std::vector<double>& of_ranks : units) {
    if (const auto longest = longest_of(of_ranks)) ++longest_in[*longest];
  }
  for (std::size_t rank = 0; rank < work.ranks.size(); ++rank)
    work.ranks[rank].longest_share =
        static_cast<double>(longest_in[rank]) / static_cast<double>(units.size());
}

// The probability of being the longest in this share of the units or more. Shares are rounded down to whole
// units.
double chance_of(double share, double units, std::size_t ranks) {
  constexpr double rounding = 1e-9;
  const double count = std::floor(units);
  const double longest_in = std::floor(share * count + rounding);
  if (!(longest_in >= 1)) return 1;
  const boost::math::binomial distribution(count, 1.0 / static_cast<double>(ranks));
  return boost::math::cdf(boost::math::complement(distribution, longest_in - 1));
}

void measure_work(const std::vector<OwnSeconds>& runs, CaseWork& work) {
  double sum = 0;
  std::size_t steps = 0;
  for (const OwnSeconds& own : runs) steps += own.front().size();
  for (std::size_t rank = 0; rank < work.ranks.size(); ++rank) {
    double seconds = 0;
    for (const OwnSeconds& own : runs) seconds += breakeven::statistics::sum(own[rank]);
    work.ranks[rank].seconds = seconds / static_cast<double>(steps);
    sum += work.ranks[rank].seconds;
  }
  for (OwnWork& rank : work.ranks) {
    const double others = (sum - rank.seconds) / static_cast<double>(work.ranks.size() - 1);
    rank.above_others = rank.seconds / others - 1;
    rank.probability = chance_of(rank.longest_share, work.units, work.ranks.size());
  }
}

bool is_measured(const std::vector<OwnSeconds>& runs, std::size_t ranks) {
  return std::ranges::all_of(runs, [&](const OwnSeconds& own) {
    return own.size() == ranks && std::ranges::all_of(own, [&](const std::vector<double>& rank) {
             return !rank.empty() && rank.size() == own.front().size() && statistics::all_finite(rank);
           });
  });
}

CaseWork work_of(const CaseSummary& phases, std::size_t family) {
  CaseWork work;
  work.phases = &phases;
  const auto ranks = static_cast<std::size_t>(phases.what.gpus);
  std::vector<OwnSeconds> runs;
  for (const RecordedRun* run : phases.done) runs.push_back(own_of(*run));
  if (runs.empty() || ranks < 2 || !is_measured(runs, ranks)) return work;
  work.ranks.resize(ranks);
  work.units = static_cast<double>(runs.size());
  work.by_runs = can_decide(work.units, ranks, family);
  if (!work.by_runs) work.units = step_credit * effective_steps(runs);
  work.can_decide = can_decide(work.units, ranks, family);
  count_longest(runs, work);
  measure_work(runs, work);
  return work;
}

}  // namespace

std::vector<CaseWork> find_stragglers(std::span<const CaseSummary* const> cases) {
  std::size_t family = 0;
  for (const CaseSummary* phases : cases) family += static_cast<std::size_t>(phases->what.gpus);
  std::vector<CaseWork> works;
  std::vector<double> probabilities;
  for (const CaseSummary* phases : cases) {
    works.push_back(work_of(*phases, family));
    for (const OwnWork& rank : works.back().ranks) probabilities.push_back(rank.probability);
  }
  const std::vector<statistics::HolmLevel> levels =
      statistics::holm_levels(probabilities, 1 - statistics::confidence);
  auto level = levels.begin();
  for (CaseWork& work : works) {
    for (OwnWork& rank : work.ranks) {
      rank.beyond_chance = (level++)->holds;
      rank.is_straggler = rank.beyond_chance && rank.above_others > statistics::practical_equivalence;
    }
  }
  return works;
}

}  // namespace breakeven::analysis
