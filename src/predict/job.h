// SPDX-License-Identifier: Apache-2.0
// A job of a given number of samples: how long it takes in each configuration, what it costs, the cheapest
// one before a deadline, and whether machines with more GPUs are worth buying for the hours that they save.
#pragma once

#include <optional>
#include <vector>

#include "src/predict/advisor.h"
#include "src/statistics/break_even.h"

namespace breakeven::predict {

struct Job {
  double samples = 0;           // 0: no job
  double deadline_seconds = 0;  // 0: none
  statistics::HourlyCost cost;  // without prices, GPU-hours decide
};

enum class InTime {
  surely,   // the 95 % interval ends before the deadline
  perhaps,  // contains it
  no,       // begins after it
};

struct JobEstimate {
  const Configuration* configuration = nullptr;
  statistics::Interval start;
  statistics::Interval seconds;  // with the start
  double gpu_hours = not_measured;
  double cost = not_measured;  // NaN without prices
  InTime in_time = InTime::no;
};

// Of those in `configs` that fit into memory and whose start-up time is known, in the same order. They point
// into `configs`.
std::vector<JobEstimate> estimate_jobs(const std::vector<Configuration>& configs, const Job& job,
                                       const Advisor& advisor);

// Its cost; without prices its GPU-hours. In proportion to its seconds.
statistics::Interval price_of(const JobEstimate& job);

// Whatever the deadline; null without any.
const JobEstimate* cheapest_of(const std::vector<JobEstimate>& jobs);
const JobEstimate* fastest_of(const std::vector<JobEstimate>& jobs);

// The cheapest of those that are surely in time, else of those that are perhaps in time, else the one that
// finishes first; null without any.
const JobEstimate* best_in_time(const std::vector<JobEstimate>& jobs);

// What would have to change for a job that is too late. NaN and 0: no such change is enough.
struct Rescue {
  double samples = not_measured;  // that the nearest configuration trains in time
  double speedup = not_measured;  // that its steps need
  // The smallest power of two above the query's batch at which some configuration is in time.
  std::uint32_t batch = 0;
  double link_factor = not_measured;  // the smallest power of two on the links' bandwidth that is enough
};
Rescue rescue_of(const JobEstimate& nearest, const Job& job, const Query& query, const Advisor& advisor);

// A purchase of machines with more GPUs, as the articles calculate it, and what their calculation omits.
// Money in one currency. The articles' example: 800, 1600, 24 months, 500 + 200 a month, 100 an hour, 20
// jobs.
struct Purchase {
  double hardware_of_one = 0;       // the machine with one GPU
  double hardware_of_more = 0;      // the one with more
  double amortization_months = 24;  // over which the difference is paid
  double operating_a_month = 0;     // of more GPUs beyond one: development, maintenance
  double hour_value = 0;            // of an hour saved
  double jobs_a_month = 0;
  double kilowatt_hour_price = 0;
};

struct PurchaseOutcome {
  double hours_saved_a_month = not_measured;
  double value_a_month = not_measured;  // of those hours
  double hardware_a_month = not_measured;
  double energy_a_month = not_measured;
  double net_a_month = not_measured;  // value less hardware, operating and energy: it pays where over 0

  // The articles' months to break even: the operating cost of a month over its net benefit, from which the
  // operating cost is already subtracted. Nothing if no time is saved, or there is no net benefit.
  std::optional<double> months_by_articles;
  // Until the value of the hours, less operating and energy, has paid the difference in hardware.
  std::optional<double> payback_months;
  // The net is above 0 from this many jobs a month on. Nothing if no time is saved, or energy costs more.
  std::optional<double> jobs_needed;
};
// For a job of given hours on one GPU and on more, and the additional energy on more.
PurchaseOutcome outcome_of(const Purchase& purchase, double hours_on_one, double hours_on_more,
                           double extra_kilowatt_hours);

// At the estimate, and at the ends of the intervals.
struct PurchaseBand {
  PurchaseOutcome at_centre, at_worst, at_best;
};

// A job on more GPUs against the same job on one. All results have the bounds of one speed-up, that of the
// configuration: the times of both sides as if they were independent would be less certain than their ratio
// is.
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
