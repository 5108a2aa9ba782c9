// SPDX-License-Identifier: Apache-2.0
// Whether machines with more GPUs are worth buying, for the hours that they save: the articles' calculation,
// and beside it what theirs leaves out.
#pragma once

#include <optional>

#include "src/core/records/run_record.h"

namespace breakeven {

// Money in one currency. The articles' example: 800, 1600, 24 months, 500 + 200 a month, 100 an hour, 20
// jobs.
struct Purchase {
  double hardware_of_one = 0;       // the machine with one GPU
  double hardware_of_more = 0;      // the one with more
  double amortization_months = 24;  // over which the difference is paid
  double operating_a_month = 0;     // what more GPUs take beyond one: development, maintenance
  double hour_value = 0;            // of an hour saved
  double jobs_a_month = 0;
  double kilowatt_hour_price = 0;
};

// Of a job that takes so many hours on one GPU and on more, and so many more kilowatt hours on more.
struct PurchaseOutcome {
  double hours_saved_a_month = not_measured;
  double value_a_month = not_measured;  // of those hours
  double hardware_a_month = not_measured;
  double energy_a_month = not_measured;
  double net_a_month = not_measured;  // value less hardware, operating and energy: it pays where over 0

  // The articles' months to break even: the operating cost of a month over the net benefit of one, from which
  // it has been taken already. Nothing where no time is saved, or no net.
  std::optional<double> months_by_articles;
  // Until the value of the hours, less operating and energy, has paid the difference in hardware.
  std::optional<double> payback_months;
  // From so many jobs a month on the net is over 0. Nothing where no time is saved, or energy eats its value.
  std::optional<double> jobs_needed;
};
PurchaseOutcome outcome_of(const Purchase& purchase, double hours_on_one, double hours_on_more,
                           double extra_kilowatt_hours);

}  // namespace breakeven
