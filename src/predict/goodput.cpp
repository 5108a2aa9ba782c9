// SPDX-License-Identifier: Apache-2.0
#include "src/predict/goodput.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/core/philox.h"
#include "src/core/strategy/case_strategy.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

// One job; every draw is a function of (job, draw).
class SimulatedJob {
 public:
  SimulatedJob(const JobPlan& plan, const StepSpread& spread, std::uint32_t number)
      : plan_(plan), spread_(spread), number_(number), even_(spread.expected_highest(plan.known_ranks)) {}

  void run() {
    double done = 0;
    while (done < plan_.work_seconds) {
      const double work = std::min(plan_.interval_seconds, plan_.work_seconds - done);
      if (passes(work * slowness(work) + plan_.checkpoint_seconds)) {
        done += work;
        continue;
      }
      do ++failures_;
      while (!passes(plan_.restart_seconds));
    }
  }
  double goodput() const { return plan_.work_seconds / seconds_; }
  double failures() const { return failures_; }

 private:
  double uniform() {
    constexpr double words = 4294967296.0;
    constexpr std::uint64_t seed = 2006;
    const Philox4 drawn = philox4x32(seed, number_, draws_++, 0, 0);
    return (drawn.word[0] + 0.5) / words;
  }

  // Continues for `seconds` or until a failure, whichever comes first.
  bool passes(double seconds) {
    const double failure = -plan_.mtbf_seconds * std::log(uniform());
    seconds_ += std::min(seconds, failure);
    return failure >= seconds;
  }

  // The mean slowest rank of the steps of `work`, over the unevenness that is already in the step. A mean
  // over a few steps stands for all.
  double slowness(double work) {
    if (spread_.size() == 1) return 1;
    constexpr double most = 16;
    const double steps = std::clamp(std::floor(work / plan_.step_seconds), 1.0, most);
    double sum = 0;
    for (double step = 0; step < steps; ++step) sum += spread_.highest_by(uniform(), plan_.ranks);
    return sum / steps / even_;
  }

  const JobPlan& plan_;
  const StepSpread& spread_;
  std::uint32_t number_;
  double even_;
  std::uint32_t draws_ = 0;
  double seconds_ = 0;
  double failures_ = 0;
};

}  // namespace

StepSpread::StepSpread(std::vector<double> relative_seconds) : sorted_(std::move(relative_seconds)) {
  if (sorted_.empty()) sorted_.push_back(1);
  std::ranges::sort(sorted_);
}

double StepSpread::expected_highest(double ranks) const {
  const auto count = static_cast<double>(sorted_.size());
  double expected = 0;
  for (std::size_t i = 0; i < sorted_.size(); ++i) {
    const auto place = static_cast<double>(i);
    expected += sorted_[i] * (std::pow((place + 1) / count, ranks) - std::pow(place / count, ranks));
  }
  return expected;
}

double StepSpread::highest_by(double uniform, double ranks) const {
  const double place = std::pow(uniform, 1 / ranks) * static_cast<double>(sorted_.size());
  return sorted_[std::min(sorted_.size() - 1, static_cast<std::size_t>(place))];
}

StepSpread spread_of(const std::vector<analysis::MeasuredCase>& cases, const Level<Precision>& precision) {
  std::vector<double> relative;
  for (const analysis::MeasuredCase& measured : cases) {
    if (measured.what.strategy != single_gpu_strategy || measured.what.precision != precision) continue;
    const analysis::StepTimes& step = measured.timed().step;
    for (std::size_t run = 0; run < step.runs.size(); ++run)
      for (const double seconds : step.runs[run].used())
        if (std::isfinite(seconds)) relative.push_back(seconds / step.run_means[run]);
  }
  return StepSpread(std::move(relative));
}

double expected_seconds(const JobPlan& plan) {
  const double m = plan.mtbf_seconds;
  return m * std::exp(plan.restart_seconds / m) *
         std::expm1((plan.interval_seconds + plan.checkpoint_seconds) / m) * plan.work_seconds /
         plan.interval_seconds;
}

// Golden section in the logarithm: the function falls, then rises.
double best_interval(const JobPlan& plan) {
  const auto seconds_at = [&](double log_interval) {
    JobPlan tried = plan;
    tried.interval_seconds = std::exp(log_interval);
    return expected_seconds(tried);
  };
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = std::log(plan.checkpoint_seconds / 100), high = std::log(20 * plan.mtbf_seconds);
  while (high - low > 1e-6) {
    const double left = high - golden * (high - low), right = low + golden * (high - low);
    (seconds_at(left) < seconds_at(right) ? high : low) = seconds_at(left) < seconds_at(right) ? right : left;
  }
  return std::exp((low + high) / 2);
}

Goodput simulate_jobs(const JobPlan& plan, const StepSpread& spread, std::uint32_t jobs) {
  std::vector<double> goodputs;
  Goodput result;
  for (std::uint32_t number = 0; number < jobs; ++number) {
    SimulatedJob job(plan, spread, number);
    job.run();
    goodputs.push_back(job.goodput());
    result.failures += job.failures() / jobs;
  }
  result.mean = statistics::mean(goodputs);
  result.low = statistics::quantile(goodputs, 0.025);
  result.high = statistics::quantile(goodputs, 0.975);
  return result;
}

}  // namespace breakeven::predict
