// SPDX-License-Identifier: Apache-2.0
// --price: what one GPU costs an hour, the same on every machine or by the machines' names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <boost/program_options/options_description.hpp>

#include "src/hdf5/read_results.h"

namespace breakeven::command {

struct Prices {
  std::string words = "0";
  double of_all = 0;                                        // 0: no prices
  std::vector<std::pair<std::string, double>> of_machines;  // by name, or a part of it without case
};

void describe_prices(Prices& prices, const std::string& use,
                     boost::program_options::options_description& options);

// Each returns what is wrong, or "": with the words, and with their names where the machines are known. A
// name must fit exactly one machine, and every machine needs a price if any is named. `an_hour` has one a
// machine.
std::string read_prices(Prices& prices);
std::string price_machines(const Prices& prices, const std::vector<hdf5::MachineResults>& machines,
                           std::vector<double>& an_hour);

}  // namespace breakeven::command
