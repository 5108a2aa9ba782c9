// SPDX-License-Identifier: Apache-2.0
// The goodput of a long job: the share of its time that is progress, when GPUs fail, checkpoints are written
// and ranks wait for the slowest of them.
#pragma once

#include <cstdint>
#include <vector>

#include "src/analysis/comparison.h"

namespace breakeven::predict {

// How unevenly a rank steps, from measured steps of ranks that wait for no other; and the time of the slowest
// of many ranks that wait for each other in every step.
class StepSpread {
 public:
  // Seconds of steps over the mean of their run. Without any the ranks are even.
  explicit StepSpread(std::vector<double> relative_seconds);

  // Of the highest of `ranks` independent draws of these, exactly: sum of x_i ((i / m)^n - ((i - 1) / m)^n)
  // over the m values in rising order. Never above the highest value: what is rarer than one step in m is not
  // known.
  double expected_highest(double ranks) const;
  // One such highest, by a uniform number from 0 to 1.
  double highest_by(double uniform, double ranks) const;

  std::size_t size() const { return sorted_.size(); }

 private:
  std::vector<double> sorted_;
};

// From all runs of `single` on one GPU in the precision.
StepSpread spread_of(const std::vector<analysis::MeasuredCase>& cases, const Level<Precision>& precision);

// Failures are exponential. Each of them ends the step, loses the work since the last checkpoint, and costs a
// restart, which may fail too.
struct JobPlan {
  double work_seconds = 0;  // without failures, checkpoints and uneven ranks
  double step_seconds = 0;
  double mtbf_seconds = 0;  // of all GPUs together
  double checkpoint_seconds = 0;
  double restart_seconds = 0;
  double interval_seconds = 0;  // of work from one checkpoint to the next
  double ranks = 1;
  double known_ranks = 1;  // whose unevenness is in step_seconds already
};

// The expected seconds of such a job with even ranks: J. Daly, "A higher order estimate of the optimum
// checkpoint interval for restart dumps", Future Generation Computer Systems 22, 2006, equation 20.
double expected_seconds(const JobPlan& plan);

// The interval that minimises that, by search. (Closed forms: Young, CACM 17(9), 1974; Daly 2006,
// equation 37.)
double best_interval(const JobPlan& plan);

// work / time of simulated jobs, event by event.
struct Goodput {
  double mean = 0;
  double low = 0;  // of 95 % of jobs
  double high = 0;
  double failures = 0;  // of a job, on average
};
Goodput simulate_jobs(const JobPlan& plan, const StepSpread& spread, std::uint32_t jobs);

}  // namespace breakeven::predict
