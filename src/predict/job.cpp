// SPDX-License-Identifier: Apache-2.0
#include "src/predict/job.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "src/core/strategy/case_strategy.h"

namespace breakeven::predict {
namespace {

constexpr std::uint32_t largest_batch = 65536;
constexpr double largest_link_factor = 64;

// An unknown interval is not in time.
InTime judge(const statistics::Interval& seconds, double deadline) {
  if (seconds.high <= deadline) return InTime::surely;
  return seconds.low <= deadline ? InTime::perhaps : InTime::no;
}

template <typename Wanted>
const JobEstimate* cheapest_where(const std::vector<JobEstimate>& jobs, Wanted wanted) {
  const JobEstimate* cheapest = nullptr;
  for (const JobEstimate& job : jobs)
    if (wanted(job) && (cheapest == nullptr || price_of(job).centre < price_of(*cheapest).centre))
      cheapest = &job;
  return cheapest;
}

bool is_done_in_time(const Query& query, const Job& job, const Advisor& advisor) {
  const std::vector<Configuration> configs = advisor.configurations(query);
  return std::ranges::any_of(estimate_jobs(configs, job, advisor),
                             [](const JobEstimate& one) { return one.in_time == InTime::surely; });
}

}  // namespace

std::vector<JobEstimate> estimate_jobs(const std::vector<Configuration>& configs, const Job& job,
                                       const Advisor& advisor) {
  std::vector<JobEstimate> jobs;
  for (const Configuration& config : configs) {
    JobEstimate one{.configuration = &config, .start = start_seconds(config, advisor), .seconds = {}};
    if (!config.fits || std::isnan(one.start.centre)) continue;
    one.seconds = job_seconds(config, job.samples, one.start);
    const double hours = one.seconds.centre / 3600;
    one.gpu_hours = hours * config.what.gpus;
    if (job.cost.a_gpu > 0) one.cost = one.gpu_hours * job.cost.a_gpu + hours * job.cost.of_waiting;
    one.in_time = judge(one.seconds, job.deadline_seconds);
    jobs.push_back(one);
  }
  return jobs;
}

statistics::Interval price_of(const JobEstimate& job) {
  const double price = std::isnan(job.cost) ? job.gpu_hours : job.cost;
  return statistics::times(job.seconds, price / job.seconds.centre);
}

const JobEstimate* cheapest_of(const std::vector<JobEstimate>& jobs) {
  return cheapest_where(jobs, [](const JobEstimate&) { return true; });
}

const JobEstimate* fastest_of(const std::vector<JobEstimate>& jobs) {
  const auto first =
      std::ranges::min_element(jobs, {}, [](const JobEstimate& job) { return job.seconds.centre; });
  return first == jobs.end() ? nullptr : &*first;
}

const JobEstimate* best_in_time(const std::vector<JobEstimate>& jobs) {
  for (const InTime wanted : {InTime::surely, InTime::perhaps}) {
    const auto* best = cheapest_where(jobs, [&](const JobEstimate& job) { return job.in_time == wanted; });
    if (best != nullptr) return best;
  }
  return fastest_of(jobs);
}

Rescue rescue_of(const JobEstimate& nearest, const Job& job, const Query& query, const Advisor& advisor) {
  Rescue rescue;
  const Configuration& config = *nearest.configuration;
  const double for_steps = job.deadline_seconds - nearest.start.centre;
  if (for_steps > 0) {
    rescue.samples = std::floor(for_steps / config.seconds.centre) * samples_a_step(config.what);
    rescue.speedup = (nearest.seconds.centre - nearest.start.centre) / for_steps;
  }
  Query other = query;
  other.batch = std::max(16u, std::bit_ceil(query.batch + 1));
  for (; other.batch <= largest_batch && rescue.batch == 0; other.batch *= 2)
    if (is_done_in_time(other, job, advisor)) rescue.batch = other.batch;
  other = query;
  other.only_predicted = true;  // only a prediction knows of another link
  for (double factor = 2; factor <= largest_link_factor && std::isnan(rescue.link_factor); factor *= 2) {
    other.link_factor = factor;
    if (is_done_in_time(other, job, advisor)) rescue.link_factor = factor;
  }
  return rescue;
}

PurchaseOutcome outcome_of(const Purchase& purchase, double hours_on_one, double hours_on_more,
                           double extra_kilowatt_hours) {
  const double hardware = purchase.hardware_of_more - purchase.hardware_of_one;
  const double energy_a_job = extra_kilowatt_hours * purchase.kilowatt_hour_price;
  const double value_a_job = (hours_on_one - hours_on_more) * purchase.hour_value;
  const double fixed_a_month = hardware / purchase.amortization_months + purchase.operating_a_month;
  PurchaseOutcome outcome;
  outcome.hours_saved_a_month = (hours_on_one - hours_on_more) * purchase.jobs_a_month;
  outcome.value_a_month = value_a_job * purchase.jobs_a_month;
  outcome.hardware_a_month = hardware / purchase.amortization_months;
  outcome.energy_a_month = energy_a_job * purchase.jobs_a_month;
  outcome.net_a_month = outcome.value_a_month - fixed_a_month - outcome.energy_a_month;
  if (!(hours_on_more < hours_on_one)) return outcome;
  if (outcome.net_a_month > 0) outcome.months_by_articles = purchase.operating_a_month / outcome.net_a_month;
  const double left_for_hardware = outcome.net_a_month + outcome.hardware_a_month;
  if (left_for_hardware > 0) outcome.payback_months = hardware / left_for_hardware;
  if (value_a_job > energy_a_job) outcome.jobs_needed = fixed_a_month / (value_a_job - energy_a_job);
  return outcome;
}

JobPair::JobPair(const Configuration& one, const Configuration& more, const Advisor& advisor)
    : speedup_(more.speedup),
      start_(start_seconds(one, advisor)),
      longer_start_(start_seconds(more, advisor)),
      one_seconds_a_sample_(statistics::times(one.seconds, 1 / samples_a_step(one.what))) {}

statistics::Interval JobPair::extra_start() const {
  return {longer_start_.centre - start_.centre, longer_start_.low - start_.high,
          longer_start_.high - start_.low, 0};
}

statistics::Interval JobPair::gain(double samples) const {
  const double steps = samples * one_seconds_a_sample_.centre;  // seconds on one GPU
  return {(start_.centre + steps) / (longer_start_.centre + steps / speedup_.centre),
          (start_.low + steps) / (longer_start_.high + steps / speedup_.low),
          (start_.high + steps) / (longer_start_.low + steps / speedup_.high), speedup_.n};
}

statistics::Interval JobPair::samples_needed() const {
  return statistics::samples_needed(speedup_, one_seconds_a_sample_, extra_start());
}

PurchaseBand JobPair::purchase(const Purchase& purchase, double samples, double extra_kilowatt_hours) const {
  const auto outcome = [&](double one_seconds, double speedup) {
    const double steps = samples * one_seconds;
    return outcome_of(purchase, (start_.centre + steps) / 3600,
                      (longer_start_.centre + steps / speedup) / 3600, extra_kilowatt_hours);
  };
  const auto& [one, one_low, one_high, n] = one_seconds_a_sample_;
  const std::array ends{outcome(one_low, speedup_.low), outcome(one_high, speedup_.low),
                        outcome(one_low, speedup_.high), outcome(one_high, speedup_.high)};
  const auto [worst, best] = std::ranges::minmax(ends, {}, &PurchaseOutcome::net_a_month);
  return {outcome(one, speedup_.centre), worst, best};
}

}  // namespace breakeven::predict
