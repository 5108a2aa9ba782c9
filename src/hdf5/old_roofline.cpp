// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/old_roofline.h"

#include <string>
#include <vector>

#include "src/hdf5/cells.h"

namespace breakeven::hdf5 {
namespace {

std::string old_name(const PrecisionInfo& info) { return std::string(info.name) + "_flops_per_second"; }

Variable old_variable(std::string_view name) {
  return {name, {Dimension::launch, Dimension::rank}, "1/s", "", &Roofline::flops_per_second};
}

}  // namespace

void read_old_rates(hid_t file, hsize_t launch, std::span<Roofline> ranks) {
  for (const PrecisionInfo& info : precisions) {
    const std::string name = old_name(info);
    const Variable variable = old_variable(name);
    if (!has_variable(file, variable)) continue;
    const auto rates = read_cells<double>(file, variable, {{launch, 0}, {1, ranks.size()}});
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank].flops(info.precision) = rates[rank];
  }
}

void move_old_rates(hid_t file, const Extents& extents) {
  const Variable& moved = variable_named("flops_per_second");
  for (const PrecisionInfo& info : precisions) {
    const std::string name = old_name(info);
    const Variable variable = old_variable(name);
    if (!has_variable(file, variable)) continue;
    const Block from{{0, 0}, shape_of(variable, extents)};
    const Block to{{0, 0, index_of(info.precision)}, {from.count[0], from.count[1], 1}};
    const auto rates = read_cells<double>(file, variable, from);
    write_cells<double>(file, moved, to, rates);
    remove_variable(file, variable);
  }
}

}  // namespace breakeven::hdf5
