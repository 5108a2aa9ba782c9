// SPDX-License-Identifier: Apache-2.0
// Cells of a variable: what a value in memory becomes in the file, and blocks of cells written by one
// process.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/hdf5/h5.h"
#include "src/hdf5/schema.h"

namespace breakeven::hdf5 {

// A value as a cell, and back: a bool is an int8, pairs are a JSON object.

template <typename Number>
requires std::same_as<Number, double> || std::same_as<Number, std::int32_t> ||
    std::same_as<Number, std::uint32_t> || std::same_as<Number, std::uint64_t>
        Number to_cell(Number value) {
  return value;
}
inline std::int8_t to_cell(bool value) { return value; }
inline std::uint8_t to_cell(RunStatus status) { return static_cast<std::uint8_t>(status); }
inline std::uint8_t to_cell(StopReason reason) { return static_cast<std::uint8_t>(reason); }
inline std::uint32_t to_cell(const std::vector<RankInfo>& ranks) {
  return static_cast<std::uint32_t>(ranks.size());
}
inline std::uint32_t to_cell(const std::vector<AutoCandidate>& candidates) {
  return static_cast<std::uint32_t>(candidates.size());
}
std::string to_cell(const std::string& text);  // bytes that are not UTF-8 become U+FFFD
std::string to_cell(const Pairs& pairs);
template <typename Value>
std::string to_cell(const Level<Value>& level) {
  return std::string(level.word());
}
template <typename Value>
std::string to_cell(const Parsed<Value>& level) {
  return to_cell(level.word());
}

template <typename Number>
void from_cell(Number cell, Number& value) {
  value = cell;
}
inline void from_cell(std::int8_t cell, bool& value) { value = cell != 0; }
inline void from_cell(std::uint32_t cell, std::vector<RankInfo>& ranks) { ranks.resize(cell); }
inline void from_cell(std::uint32_t cell, std::vector<AutoCandidate>& candidates) { candidates.resize(cell); }
inline void from_cell(const std::string& cell, std::string& text) { text = cell; }
template <typename Value>
void from_cell(const std::string& cell, Level<Value>& level) {
  level = Level<Value>(cell);
}
template <typename Value>
void from_cell(const std::string& cell, Parsed<Value>& level) {
  level = cell;
}
void from_cell(std::uint8_t cell, RunStatus& status);
void from_cell(std::uint8_t cell, StopReason& reason);
void from_cell(const std::string& cell, Pairs& pairs);

// The type of a variable's cells, from its source.
template <typename Source>
struct CellOf;
template <typename Source>
requires requires { typename Source::Cell; }
struct CellOf<Source> : std::type_identity<typename Source::Cell> {};
template <typename Owner, typename Value>
struct CellOf<Value Owner::*> : std::type_identity<decltype(to_cell(std::declval<const Value&>()))> {};
template <typename Owner>
struct CellOf<std::vector<double> Owner::*> : std::type_identity<double> {};
template <>
struct CellOf<RateByPrecision Roofline::*> : std::type_identity<double> {};

// HDF5's types of numbers: little-endian in the file, and as in this machine's memory.
struct NumberTypes {
  hid_t in_file;
  hid_t in_memory;
  std::string_view name;
};
inline NumberTypes types_of(double) { return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, "float64"}; }
inline NumberTypes types_of(std::int32_t) { return {H5T_STD_I32LE, H5T_NATIVE_INT32, "int32"}; }
inline NumberTypes types_of(std::uint32_t) { return {H5T_STD_U32LE, H5T_NATIVE_UINT32, "uint32"}; }
inline NumberTypes types_of(std::uint64_t) { return {H5T_STD_U64LE, H5T_NATIVE_UINT64, "uint64"}; }
inline NumberTypes types_of(std::int8_t) { return {H5T_STD_I8LE, H5T_NATIVE_INT8, "int8"}; }
inline NumberTypes types_of(std::uint8_t) { return {H5T_STD_U8LE, H5T_NATIVE_UINT8, "uint8"}; }

H5Type copy_of(hid_t type);
H5Type text_type();  // variable-length UTF-8, in the file and in memory

// Cell is a number with types_of(), or std::string.
template <typename Cell>
H5Type file_type() {
  if constexpr (std::same_as<Cell, std::string>)
    return text_type();
  else
    return copy_of(types_of(Cell{}).in_file);
}
template <typename Cell>
H5Type memory_type() {
  if constexpr (std::same_as<Cell, std::string>)
    return text_type();
  else
    return copy_of(types_of(Cell{}).in_memory);
}

// A rectangle of cells: the first one and how many, along each dimension of the variable.
struct Block {
  std::vector<hsize_t> start;
  std::vector<hsize_t> count;

  hsize_t cells() const;
};

template <typename Cell>
std::string_view name_of_type() {
  if constexpr (std::same_as<Cell, std::string>)
    return "text of variable length";
  else
    return types_of(Cell{}).name;
}

bool has_variable(hid_t file, const Variable& variable);

// What the file has under the variable's name. Links elsewhere may lead to any file or pipe.
enum class KindOfEntry { none, object, link };
KindOfEntry kind_of(hid_t file, const Variable& variable);
bool is_stored_elsewhere(hid_t dataset);

template <typename Cell>
bool has_type(hid_t dataset) {
  const H5Type found(H5_CALL(H5Dget_type(dataset), "reading a type"));
  if constexpr (std::same_as<Cell, std::string>)
    return H5Tget_class(found.get()) == H5T_STRING && H5Tis_variable_str(found.get()) > 0;
  else
    return H5Tget_class(found.get()) == H5Tget_class(types_of(Cell{}).in_file) &&
           H5Tget_size(found.get()) == sizeof(Cell);
}

H5Dataset open_variable(hid_t file, const Variable& variable);
H5Space select_block(hid_t dataset, const Block& block, const std::string& doing);

// `data` holds the block's cells in memory, one behind the other.
void write_into(hid_t dataset, const Variable& variable, const Block& block, const H5Type& type,
                const void* data);
void write_block(hid_t file, const Variable& variable, const Block& block, const H5Type& type,
                 const void* data);

template <typename Cell>
void write_cells(hid_t file, const Variable& variable, const Block& block, std::span<const Cell> cells) {
  write_block(file, variable, block, memory_type<Cell>(), cells.data());
}
template <>
void write_cells(hid_t file, const Variable& variable, const Block& block,
                 std::span<const std::string> cells);

}  // namespace breakeven::hdf5
