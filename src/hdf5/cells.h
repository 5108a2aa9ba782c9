// SPDX-License-Identifier: Apache-2.0
// Reads and writes blocks of a variable's cells, by one process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/hdf5/h5.h"
#include "src/hdf5/schema.h"

namespace breakeven {

// A rectangle of cells: the first one and how many, along each dimension of the variable.
struct Block {
  std::vector<hsize_t> start;
  std::vector<hsize_t> count;

  hsize_t cells() const;
};

// Cell is double, int32, uint32, uint64, int8, uint8 or std::string.
template <typename Cell>
H5Type file_type();  // little-endian, or variable-length UTF-8
template <typename Cell>
H5Type memory_type();  // of this machine

bool has_variable(hid_t file, const Variable& variable);
H5Dataset open_variable(hid_t file, const Variable& variable);
H5Space select_block(hid_t dataset, const Block& block, const std::string& doing);

template <typename Cell>
void write_cells(hid_t file, const Variable& variable, const Block& block, std::span<const Cell> cells);
template <typename Cell>
std::vector<Cell> read_cells(hid_t file, const Variable& variable, const Block& block);

}  // namespace breakeven
