// SPDX-License-Identifier: Apache-2.0
#include "src/predict/purchase.h"

namespace breakeven {

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

}  // namespace breakeven
