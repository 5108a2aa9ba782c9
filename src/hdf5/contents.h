// SPDX-License-Identifier: Apache-2.0
// A results file in memory, one column of cells for each variable. The reader fills it from a file, the
// writer of labels from records.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/hdf5/cells.h"
#include "src/hdf5/layout.h"

namespace breakeven::hdf5 {

// All cells of a variable, row-major.
using Column = std::variant<std::vector<double>, std::vector<std::int32_t>, std::vector<std::uint32_t>,
                            std::vector<std::uint64_t>, std::vector<std::int8_t>, std::vector<std::uint8_t>,
                            std::vector<std::string>>;

// With `cells` empty cells (NaN, 0 or "") of the variable's type.
Column make_column(const Variable& variable, std::size_t cells);

struct StoredVariable {
  std::vector<hsize_t> shape;
  Column column;
};

class Contents {
 public:
  bool has(const Variable& variable) const;
  // Throws Failure(file) where the variable is missing.
  const StoredVariable& at(const Variable& variable) const;
  StoredVariable& at(const Variable& variable);
  void put(const Variable& variable, StoredVariable stored);

  // Names in the file that are no variables of this program.
  const std::vector<std::string>& unknown() const { return unknown_; }
  void add_unknown(std::string name) { unknown_.push_back(std::move(name)); }

 private:
  std::vector<std::string> unknown_;
  std::map<std::string, StoredVariable, std::less<>> variables_;
};

// The places along each dimension, from its coordinate. Throws Failure(file) where a variable has another
// shape.
Extents extents_of(const Contents& contents);

// Calls `copy(from, to, cells)` for each contiguous piece of a block: its first cell in the variable and in
// the block. Throws Failure(file) where the block lies outside.
void for_each_piece(const Variable& variable, const std::vector<hsize_t>& shape, const Block& block,
                    const std::function<void(std::size_t, std::size_t, std::size_t)>& copy);

template <typename Cell>
const std::vector<Cell>& column_of(const Contents& contents, const Variable& variable) {
  return std::get<std::vector<Cell>>(contents.at(variable).column);
}

template <typename Cell>
std::vector<Cell> read_cells(const Contents& contents, const Variable& variable, const Block& block) {
  const StoredVariable& stored = contents.at(variable);
  const auto& column = std::get<std::vector<Cell>>(stored.column);
  std::vector<Cell> cells;
  for_each_piece(variable, stored.shape, block, [&](std::size_t from, std::size_t, std::size_t count) {
    cells.insert(cells.end(), column.begin() + from, column.begin() + from + count);
  });
  return cells;
}

template <typename Cell>
void write_cells(Contents& contents, const Variable& variable, const Block& block,
                 std::span<const Cell> cells) {
  StoredVariable& stored = contents.at(variable);
  auto& column = std::get<std::vector<Cell>>(stored.column);
  for_each_piece(variable, stored.shape, block, [&](std::size_t to, std::size_t from, std::size_t count) {
    std::copy_n(cells.begin() + from, count, column.begin() + to);
  });
}

}  // namespace breakeven::hdf5
