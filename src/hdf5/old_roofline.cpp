// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/old_roofline.h"

#include <string>
#include <vector>

namespace breakeven::hdf5 {

const std::vector<Variable>& old_rate_variables() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const PrecisionInfo& info : precisions) all.push_back(std::string(info.name) + "_flops_per_second");
    return all;
  }();
  static const std::vector<Variable> all = [] {
    std::vector<Variable> list;
    for (const std::string& name : names)
      list.push_back({.name = name,
                      .dimensions = {Dimension::launch, Dimension::rank},
                      .units = "1/s",
                      .long_name = "",
                      .source = &Roofline::flops_per_second,
                      .is_addition = true});
    return list;
  }();
  return all;
}

void read_old_rates(const Contents& contents, hsize_t launch, std::span<Roofline> ranks) {
  for (const PrecisionInfo& info : precisions) {
    const Variable& variable = old_rate_variables()[index_of(info.precision)];
    if (!contents.has(variable)) continue;
    const auto rates = read_cells<double>(contents, variable, {{launch, 0}, {1, ranks.size()}});
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank].flops(info.precision) = rates[rank];
  }
}

}  // namespace breakeven::hdf5
