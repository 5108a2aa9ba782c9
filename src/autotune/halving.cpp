// SPDX-License-Identifier: Apache-2.0
#include "src/autotune/halving.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/core/shuffled.h"
#include "src/statistics/interval.h"
#include "src/statistics/sample.h"

namespace breakeven::autotune {
namespace {

void note(const std::vector<double>& batch_means, AutoCandidate& candidate) {
  candidate.probed_seconds =
      statistics::all_finite(batch_means) ? statistics::median(batch_means) : not_measured;
  const statistics::Interval interval = statistics::mean_interval(batch_means);
  candidate.probed_low = interval.low;
  candidate.probed_high = interval.high;
}

// NaN would make the order of the sort undefined.
double seconds_to_beat(const AutoCandidate& candidate) {
  return std::isfinite(candidate.probed_seconds) ? candidate.probed_seconds
                                                 : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<std::size_t> worth_probing(const std::vector<AutoCandidate>& candidates) {
  double surely_reached = std::numeric_limits<double>::infinity();
  for (const AutoCandidate& candidate : candidates) {
    if (candidate.predicted_low <= candidate.predicted_high)
      surely_reached = std::min(surely_reached, candidate.predicted_high);
  }
  std::vector<std::size_t> field;
  for (std::size_t place = 0; place < candidates.size(); ++place) {
    if (!(candidates[place].predicted_low > surely_reached)) field.push_back(place);
  }
  return field;
}

std::size_t choose_by_halving(std::vector<std::size_t> field, const HalvingSettings& settings,
                              const Probe& probe, std::vector<AutoCandidate>& candidates) {
  std::vector<std::vector<double>> batch_means(candidates.size());
  std::uint32_t steps = settings.steps;
  for (std::uint32_t round = 0; field.size() > 1; ++round, steps *= 2) {
    for (const std::size_t turn : shuffled(field.size(), settings.seed, round)) {
      const std::size_t place = field[turn];
      const std::vector<double> batches = probe(place, steps);
      batch_means[place].insert(batch_means[place].end(), batches.begin(), batches.end());
      note(batch_means[place], candidates[place]);
    }
    std::ranges::stable_sort(field, {},
                             [&](std::size_t place) { return seconds_to_beat(candidates[place]); });
    field.resize((field.size() + 1) / 2);
  }
  return field.front();
}

}  // namespace breakeven::autotune
