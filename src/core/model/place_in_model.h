// SPDX-License-Identifier: Apache-2.0
// A part of a model as a model of its own: some of its layers, and of their units a share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace breakeven {

// A run of a layer's units.
struct UnitRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// As it stands: the part is the whole model.
struct PlaceInModel {
  std::size_t first_layer = 0;
  // Of each of the part's widths, its first unit's number in the model, and how many there are; empty: the
  // part has them all.
  std::vector<std::uint32_t> first_units;
  std::vector<std::uint32_t> whole_widths;

  bool ends_model = true;  // its last layer is the model's: it knows the loss

  std::uint32_t first_unit(std::size_t width) const { return first_units.empty() ? 0 : first_units[width]; }
};

}  // namespace breakeven
