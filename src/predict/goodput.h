// SPDX-License-Identifier: Apache-2.0
// What of a long job's time is progress, where GPUs fail, checkpoints are written, and the ranks wait for the
// slowest of them.
#pragma once

#include <cstdint>

#include "src/predict/step_spread.h"

namespace breakeven {

// Failures are exponential and any of them ends the step; what was done since the last checkpoint is lost,
// and a restart, which may fail too, comes before the work goes on.
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

// The interval that makes that least, by search; and the closed forms of it: Young, CACM 17(9), 1974; Daly
// 2006, equation 37.
double best_interval(const JobPlan& plan);
double young_interval(double checkpoint_seconds, double mtbf_seconds);
double daly_interval(double checkpoint_seconds, double mtbf_seconds);

// work / time of simulated jobs, event by event.
struct Goodput {
  double mean = 0;
  double low = 0;  // of 95 % of jobs
  double high = 0;
  double failures = 0;  // of a job, on average
};
Goodput simulate_jobs(const JobPlan& plan, const StepSpread& spread, std::uint32_t jobs);

}  // namespace breakeven
