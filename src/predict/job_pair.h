// SPDX-License-Identifier: Apache-2.0
// A job on more GPUs against the same job on one. All that is derived here has the bounds of one speed-up,
// that of the configuration: the times of both sides as if they were independent would be less certain than
// their ratio is.
#pragma once

#include "src/predict/job.h"

namespace breakeven::predict {

// At the estimate, and at the ends of the intervals.
struct PurchaseBand {
  PurchaseOutcome at_centre, at_worst, at_best;
};

class JobPair {
 public:
  // `more` with its speed-up over `one`.
  JobPair(const Configuration& one, const Configuration& more, const Advisor& advisor);

  statistics::Interval extra_start() const;  // seconds that more GPUs take longer to start

  // Time of a job of so many samples on one GPU over that on more.
  statistics::Interval gain(double samples) const;

  // Samples of a job that takes both as long (statistics::samples_needed).
  statistics::Interval samples_needed() const;

  // The ends are the worst and the best of those of the speed-up and of one GPU's time.
  PurchaseBand purchase(const Purchase& purchase, double samples, double extra_kilowatt_hours) const;

 private:
  statistics::Interval speedup_, start_, longer_start_;  // of more GPUs over one; seconds
  statistics::Interval one_seconds_a_sample_;
};

}  // namespace breakeven::predict
