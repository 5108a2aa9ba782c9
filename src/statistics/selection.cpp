// SPDX-License-Identifier: Apache-2.0
// Choosing on one half and reporting on the other.
#include "src/statistics/selection.h"

#include <cmath>

#include "src/statistics/sample.h"

namespace breakeven {
namespace {

struct Halves {
  std::vector<PairedBlock> choosing;
  std::vector<PairedBlock> reporting;
};

bool has_several_launches(std::span<const std::vector<PairedBlock>> rivals) {
  std::vector<std::uint32_t> launches;
  for (const std::vector<PairedBlock>& blocks : rivals) {
    for (const PairedBlock& block : blocks) launches.push_back(block.launch);
  }
  return unit_of(launches) == SamplingUnit::launch;
}

Halves halves_of(const std::vector<PairedBlock>& blocks, bool by_launch) {
  Halves halves;
  for (const PairedBlock& block : blocks) {
    const std::uint32_t number = by_launch ? block.launch : block.repeat;
    (number % 2 == 0 ? halves.reporting : halves.choosing).push_back(block);
  }
  return halves;
}

// NaN where there is none: then it is chosen by nobody.
double mean_logarithm(const std::vector<PairedBlock>& blocks) {
  std::vector<double> logs;
  for (const PairedBlock& block : blocks) logs.push_back(std::log(block.ratio));
  return mean(logs);
}

std::size_t highest_place(const std::vector<double>& values) {
  std::size_t place = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!(values[i] <= values[place])) place = i;
  }
  return place;
}

}  // namespace

std::optional<Winner> choose_by_halves(std::span<const std::vector<PairedBlock>> rivals) {
  const bool by_launch = has_several_launches(rivals);
  std::vector<std::size_t> places;
  std::vector<Halves> halves;
  std::vector<double> choosing;
  std::vector<double> reporting;
  for (std::size_t rival = 0; rival < rivals.size(); ++rival) {
    Halves of_rival = halves_of(rivals[rival], by_launch);
    const double chosen_by = mean_logarithm(of_rival.choosing);
    const double reported_by = mean_logarithm(of_rival.reporting);
    if (!std::isfinite(chosen_by) || !std::isfinite(reported_by)) continue;
    places.push_back(rival);
    halves.push_back(std::move(of_rival));
    choosing.push_back(chosen_by);
    reporting.push_back(reported_by);
  }
  if (places.size() < 2) return std::nullopt;
  const std::size_t best = highest_place(choosing);
  return Winner{.rival = places[best],
                .speedup = estimate_paired(halves[best].reporting),
                .is_agreed = best == highest_place(reporting)};
}

}  // namespace breakeven
