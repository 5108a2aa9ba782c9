// SPDX-License-Identifier: Apache-2.0
// What more GPUs can be judged by, and from where on they pay by it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/predict/job.h"

namespace breakeven {

// What `advise` was told of prices and of the job.
struct Costs {
  Job job;
  std::optional<Purchase> purchase;
};

struct Judgement {
  std::string key;   // "gpu_hours"
  std::string name;  // "GPU-hours"
  Interval gain;     // of one GPU over more, 95 %; of a purchase its net a month
  Payoff verdict = Payoff::not_measured;
  std::string here;
  Interval turn;      // from here on it pays, 95 %; infinite where nothing would do
  std::string turns;  // the same in words; "" where there is nothing to vary
};

std::string plain_number(double number);  // three digits

// "from 5.90 jobs a month on (2.31 to never)" with the unit " jobs a month"; "never" where nothing would do.
std::string turn_in_words(const Interval& turn, std::string_view unit);

}  // namespace breakeven
