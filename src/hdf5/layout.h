// SPDX-License-Identifier: Apache-2.0
// The datasets of a results file without their contents: one process makes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

// The size of a file with these extents, about: text counts with a guess of its length.
std::uint64_t stored_bytes(const Extents& extents);

}  // namespace breakeven::hdf5
