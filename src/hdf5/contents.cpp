// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/contents.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/failure.h"

namespace breakeven::hdf5 {
namespace {

[[noreturn]] void fail(const std::string& sentence) { throw Failure(ExitCode::file, sentence); }

}  // namespace

Column make_column(const Variable& variable, std::size_t cells) {
  return std::visit(
      [&]<typename Source>(const Source&) -> Column {
        using Cell = typename CellOf<Source>::type;
        if constexpr (std::is_same_v<Cell, double>)
          return std::vector<double>(cells, not_measured);
        else
          return std::vector<Cell>(cells);
      },
      variable.source);
}

bool Contents::has(const Variable& variable) const { return variables_.contains(variable.name); }

const StoredVariable& Contents::at(const Variable& variable) const {
  const auto found = variables_.find(variable.name);
  if (found == variables_.end()) fail(fmt::format("the variable {} is missing", variable.name));
  return found->second;
}

StoredVariable& Contents::at(const Variable& variable) {
  return const_cast<StoredVariable&>(std::as_const(*this).at(variable));
}

void Contents::put(const Variable& variable, StoredVariable stored) {
  variables_.insert_or_assign(std::string(variable.name), std::move(stored));
}

Extents extents_of(const Contents& contents) {
  Extents extents;
  for (const Variable& variable : variables())
    if (variable.is_coordinate() && (contents.has(variable) || !variable.is_addition))
      extents[variable.dimensions[0]] = contents.at(variable).shape[0];
  if (extents[Dimension::phase] != phase_count)
    fail(fmt::format("it has {} phases; this program knows {}", extents[Dimension::phase], phase_count));
  for (const Variable& variable : variables()) {
    if (variable.is_addition && !contents.has(variable)) continue;
    const std::vector<hsize_t>& found = contents.at(variable).shape;
    const std::vector<hsize_t> expected = shape_of(variable, extents);
    if (found != expected)
      fail(fmt::format("the variable {} has the shape {}, and its dimensions have {}", variable.name,
                       fmt::join(found, " x "), fmt::join(expected, " x ")));
  }
  return extents;
}

void for_each_piece(const Variable& variable, const std::vector<hsize_t>& shape, const Block& block,
                    const std::function<void(std::size_t, std::size_t, std::size_t)>& copy) {
  const std::size_t axes = shape.size();
  bool fits = block.start.size() == axes && block.count.size() == axes;
  for (std::size_t axis = 0; fits && axis < axes; ++axis)
    fits = block.count[axis] <= shape[axis] && block.start[axis] <= shape[axis] - block.count[axis];
  if (!fits)
    fail(fmt::format("the variable {} has the shape {}, too small for {} cells from {}", variable.name,
                     fmt::join(shape, " x "), fmt::join(block.count, " x "), fmt::join(block.start, ", ")));
  // The last axes that the block covers whole lie together with the axis before them.
  std::size_t first_whole = axes;
  std::size_t piece = 1;
  while (first_whole > 0 && block.count[first_whole - 1] == shape[first_whole - 1])
    piece *= shape[--first_whole];
  const std::size_t cells_of_a_place = piece;
  const std::size_t outer = first_whole > 0 ? first_whole - 1 : 0;
  if (first_whole > 0) piece *= block.count[outer];
  const std::size_t cells = block.cells();
  std::vector<hsize_t> place(outer);
  for (std::size_t done = 0; done < cells; done += piece) {
    std::size_t from = 0;
    for (std::size_t axis = 0; axis < outer; ++axis)
      from = from * shape[axis] + block.start[axis] + place[axis];
    if (first_whole > 0) from = (from * shape[outer] + block.start[outer]) * cells_of_a_place;
    copy(from, done, piece);
    for (std::size_t axis = outer; axis-- > 0 && ++place[axis] == block.count[axis];) place[axis] = 0;
  }
}

}  // namespace breakeven::hdf5
