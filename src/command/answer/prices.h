// SPDX-License-Identifier: Apache-2.0
// --price: what one GPU costs an hour, the same on every machine or by the machines' names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "src/core/text/command_options.h"
#include "src/hdf5/read_results.h"

namespace breakeven::command {

struct Prices {
  double of_all = 0;                                        // 0: no prices
  std::vector<std::pair<std::string, double>> of_machines;  // by name, or words of it without case
};

// `use` follows the option's meaning in the help.
void add_price(CommandOptions& options, const std::string& use, Prices& prices);

// What is wrong with the names where the machines are known, or "". A name must fit exactly one machine, and
// every machine needs a price if any is named. `an_hour` has one a machine.
std::string price_machines(const Prices& prices, const std::vector<hdf5::MachineResults>& machines,
                           std::vector<double>& an_hour);

}  // namespace breakeven::command
