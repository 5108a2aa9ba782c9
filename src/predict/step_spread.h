// SPDX-License-Identifier: Apache-2.0
// How unevenly a rank steps, from measured steps of ranks that wait for nobody; and what the slowest of many
// ranks that wait for one another in every step takes.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/comparison.h"

namespace breakeven {

class StepSpread {
 public:
  // Seconds of steps over the mean of their run. Without any the ranks are even.
  explicit StepSpread(std::vector<double> relative_seconds);

  // Of the highest of `ranks` independent draws of these, exactly: sum of x_i ((i / m)^n - ((i - 1) / m)^n)
  // over the m values in rising order. No more than the highest value, however many the ranks: of what is
  // rarer than one step in m nothing is known.
  double expected_highest(double ranks) const;
  // One such highest, by a uniform number from 0 to 1.
  double highest_by(double uniform, double ranks) const;

  std::size_t size() const { return sorted_.size(); }

 private:
  std::vector<double> sorted_;
};

// Of all runs of `single` on one GPU in the precision.
StepSpread spread_of(const std::vector<analysis::MeasuredCase>& cases, const Level<Precision>& precision);

}  // namespace breakeven
