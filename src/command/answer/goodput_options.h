// SPDX-License-Identifier: Apache-2.0
// The options of `breakeven predict` about failures and checkpoints.
#pragma once

#include <string>

#include <boost/program_options/options_description.hpp>

#include "src/report/goodput_table.h"

namespace breakeven {

struct GoodputWords {
  double mtbf_hours = 0;
  double checkpoint_seconds = 0;
  double restart_seconds = 300;
  double job_hours = 720;
  std::string interval = "auto";
  std::string disk_bandwidth;
};

void describe_goodput(boost::program_options::options_description& options, GoodputWords& words);

// Fills in what the words say; what is wrong with them, or "".
std::string read_goodput(const GoodputWords& words, GoodputRequest& request);

}  // namespace breakeven
