// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice_purchase.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace breakeven {
namespace {

// The net of a month at the hours that a job saves: their estimate, and both ends of their interval.
struct PurchaseBand {
  PurchaseOutcome at_centre, at_worst, at_best;
};

PurchaseBand purchase_band(const Purchase& purchase, const Interval& one_seconds,
                           const Interval& more_seconds, double extra_joules) {
  const auto half = [](const Interval& seconds) { return (seconds.high - seconds.low) / 2; };
  const double uncertainty = std::hypot(half(one_seconds), half(more_seconds)) / 3600;
  const double on_one = one_seconds.centre / 3600, on_more = more_seconds.centre / 3600;
  const double kilowatt_hours = std::isnan(extra_joules) ? 0 : extra_joules / 3.6e6;
  const auto outcome = [&](double hours_on_more) {
    return outcome_of(purchase, on_one, hours_on_more, kilowatt_hours);
  };
  return {outcome(on_more), outcome(on_more + uncertainty), outcome(on_more - uncertainty)};
}

Payoff verdict_of_net(const Interval& net) {
  if (net.low > 0) return Payoff::pays;
  return net.high < 0 ? Payoff::does_not_pay : Payoff::undecided;
}

double jobs_of(const PurchaseOutcome& outcome) {
  return outcome.jobs_needed.value_or(std::numeric_limits<double>::infinity());
}

}  // namespace

Judgement judge_purchase(const Configuration& one, const Configuration& more, const Advisor& advisor,
                         const Costs& costs) {
  const double samples = costs.job.samples;
  const double extra_joules = samples * (energy_of(more, advisor).joules_a_sample.centre -
                                         energy_of(one, advisor).joules_a_sample.centre);
  const PurchaseBand band =
      purchase_band(*costs.purchase, job_seconds(one, samples, start_seconds(one, advisor)),
                    job_seconds(more, samples, start_seconds(more, advisor)), extra_joules);
  const PurchaseOutcome& outcome = band.at_centre;
  const Interval net{outcome.net_a_month, band.at_worst.net_a_month, band.at_best.net_a_month, 0};
  const Interval turn{jobs_of(outcome), jobs_of(band.at_best), jobs_of(band.at_worst), 0};
  std::string here =
      fmt::format("net of a month {} ({} to {}): {} hours saved are worth {}, hardware {}, operating {}",
                  plain_number(net.centre), plain_number(net.low), plain_number(net.high),
                  plain_number(outcome.hours_saved_a_month), plain_number(outcome.value_a_month),
                  plain_number(outcome.hardware_a_month), plain_number(costs.purchase->operating_a_month));
  if (costs.purchase->kilowatt_hour_price > 0)
    here +=
        std::isnan(extra_joules) ? ", energy not known" : ", energy " + plain_number(outcome.energy_a_month);
  if (outcome.payback_months)
    here += fmt::format("; the hardware is paid back after {} months", plain_number(*outcome.payback_months));
  if (outcome.months_by_articles)
    here += fmt::format(" (by the articles' formula {})", plain_number(*outcome.months_by_articles));
  return {"purchase", "purchase", net, verdict_of_net(net), here, turn, turn_in_words(turn, " jobs a month")};
}

}  // namespace breakeven
