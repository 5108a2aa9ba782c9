// SPDX-License-Identifier: Apache-2.0
// The datasets of a results file without their contents: one process makes, extends and measures them.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "src/hdf5/h5.h"
#include "src/hdf5/schema.h"

namespace breakeven::hdf5 {

// Places along each dimension.
struct Extents {
  std::array<hsize_t, dimension_names.size()> places{};

  hsize_t& operator[](Dimension dimension) { return places[static_cast<std::size_t>(dimension)]; }
  hsize_t operator[](Dimension dimension) const { return places[static_cast<std::size_t>(dimension)]; }
};
std::vector<hsize_t> shape_of(const Variable& variable, const Extents& extents);

// Every variable with its scales and attributes; NaN, 0 or empty text in every cell.
void create_variables(hid_t file, const Extents& extents);
// Adds the variables that the file lacks because an older program made it. Returns whether there were any.
bool add_missing_variables(hid_t file, const Extents& extents);
void remove_variable(hid_t file, const Variable& variable);
void extend_variables(hid_t file, const Extents& extents);
Extents read_extents(hid_t file);

}  // namespace breakeven::hdf5
