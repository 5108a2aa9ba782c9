// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/precision_stop.h"

#include <algorithm>

#include "src/analysis/comparison.h"
#include "src/statistics/interval.h"

namespace breakeven::analysis {
namespace {

bool is_narrow(const statistics::Interval& interval, double target) {
  return interval.half_width() <= target * interval.centre;  // NaN: no
}

// Both have all repeats up to the end of the shorter one.
std::vector<double> ratios(const std::vector<double>& base, const std::vector<double>& candidate) {
  std::vector<double> of_repeats(std::min(base.size(), candidate.size()));
  for (std::size_t i = 0; i < of_repeats.size(); ++i) of_repeats[i] = base[i] / candidate[i];
  return of_repeats;
}

}  // namespace

PrecisionStop::PrecisionStop(const std::vector<Case>& cases, double target)
    : target_(target), run_means_(cases.size()), bases_of_(cases.size()), goes_on_(cases.size(), true) {
  for (std::size_t which = 0; which < cases.size(); ++which) {
    for (std::size_t base = 0; base < cases.size(); ++base) {
      const bool is_base =
          base != which && cases[base].timing == cases[which].timing && is_base_of(cases[base], cases[which]);
      if (is_base) bases_of_[which].push_back(base);
    }
  }
}

void PrecisionStop::add(std::size_t which, double run_mean_seconds) {
  run_means_[which].push_back(run_mean_seconds);
}

bool PrecisionStop::is_precise(std::size_t which) const {
  const std::vector<double>& means = run_means_[which];
  if (means.size() < fewest_before_precise || !is_narrow(statistics::mean_interval(means), target_))
    return false;
  return std::ranges::all_of(bases_of_[which], [&](std::size_t base) {
    return is_narrow(statistics::estimate_ratio(ratios(run_means_[base], means)).ratio, target_);
  });
}

std::vector<std::size_t> PrecisionStop::close_repeat() {
  std::vector<bool> is_needed(goes_on_.size(), false);  // by a case that goes on
  std::vector<std::size_t> precise;
  for (std::size_t which = 0; which < goes_on_.size(); ++which) {
    if (!goes_on_[which]) continue;
    if (is_precise(which)) {
      precise.push_back(which);
    } else {
      for (const std::size_t base : bases_of_[which]) is_needed[base] = true;
    }
  }
  std::erase_if(precise, [&](std::size_t which) { return is_needed[which]; });
  for (const std::size_t which : precise) goes_on_[which] = false;
  return precise;
}

}  // namespace breakeven::analysis
