// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/cells.h"

#include <functional>
#include <numeric>

namespace breakeven {
namespace {

H5Type copy_of(hid_t type) { return H5Type(H5_CALL(H5Tcopy(type), "a type of cells")); }

H5Type text_type() {
  H5Type type = copy_of(H5T_C_S1);
  H5_CALL(H5Tset_size(type.get(), H5T_VARIABLE), "the type of text");
  H5_CALL(H5Tset_cset(type.get(), H5T_CSET_UTF8), "the type of text");
  return type;
}

H5Space memory_space(const Block& block) {
  const hsize_t cells = block.cells();
  return H5Space(H5_CALL(H5Screate_simple(1, &cells, nullptr), "a block in memory"));
}

void write_raw(hid_t file, const Variable& variable, const Block& block, const H5Type& type,
               const void* data) {
  const std::string doing = "writing variable " + std::string(variable.name);
  const H5Dataset dataset = open_variable(file, variable);
  const H5Space memory = memory_space(block);
  const H5Space place = select_block(dataset.get(), block, doing);
  H5_CALL(H5Dwrite(dataset.get(), type.get(), memory.get(), place.get(), H5P_DEFAULT, data), doing);
}

void read_raw(hid_t file, const Variable& variable, const Block& block, const H5Type& type, void* data) {
  const std::string doing = "reading variable " + std::string(variable.name);
  const H5Dataset dataset = open_variable(file, variable);
  const H5Space memory = memory_space(block);
  const H5Space place = select_block(dataset.get(), block, doing);
  H5_CALL(H5Dread(dataset.get(), type.get(), memory.get(), place.get(), H5P_DEFAULT, data), doing);
}

}  // namespace

hsize_t Block::cells() const {
  return std::accumulate(count.begin(), count.end(), hsize_t{1}, std::multiplies<>());
}

template <>
H5Type file_type<double>() {
  return copy_of(H5T_IEEE_F64LE);
}
template <>
H5Type file_type<std::int32_t>() {
  return copy_of(H5T_STD_I32LE);
}
template <>
H5Type file_type<std::uint32_t>() {
  return copy_of(H5T_STD_U32LE);
}
template <>
H5Type file_type<std::uint64_t>() {
  return copy_of(H5T_STD_U64LE);
}
template <>
H5Type file_type<std::int8_t>() {
  return copy_of(H5T_STD_I8LE);
}
template <>
H5Type file_type<std::uint8_t>() {
  return copy_of(H5T_STD_U8LE);
}
template <>
H5Type file_type<std::string>() {
  return text_type();
}

template <>
H5Type memory_type<double>() {
  return copy_of(H5T_NATIVE_DOUBLE);
}
template <>
H5Type memory_type<std::int32_t>() {
  return copy_of(H5T_NATIVE_INT32);
}
template <>
H5Type memory_type<std::uint32_t>() {
  return copy_of(H5T_NATIVE_UINT32);
}
template <>
H5Type memory_type<std::uint64_t>() {
  return copy_of(H5T_NATIVE_UINT64);
}
template <>
H5Type memory_type<std::int8_t>() {
  return copy_of(H5T_NATIVE_INT8);
}
template <>
H5Type memory_type<std::uint8_t>() {
  return copy_of(H5T_NATIVE_UINT8);
}
template <>
H5Type memory_type<std::string>() {
  return text_type();
}

bool has_variable(hid_t file, const Variable& variable) {
  const std::string name(variable.name);
  return H5_CALL(H5Lexists(file, name.c_str(), H5P_DEFAULT), "looking for variable " + name) > 0;
}

H5Dataset open_variable(hid_t file, const Variable& variable) {
  const std::string name(variable.name);
  return H5Dataset(H5_CALL(H5Dopen2(file, name.c_str(), H5P_DEFAULT), "opening variable " + name));
}

H5Space select_block(hid_t dataset, const Block& block, const std::string& doing) {
  H5Space place(H5_CALL(H5Dget_space(dataset), doing));
  H5_CALL(H5Sselect_hyperslab(place.get(), H5S_SELECT_SET, block.start.data(), nullptr, block.count.data(),
                              nullptr),
          doing);
  return place;
}

template <typename Cell>
void write_cells(hid_t file, const Variable& variable, const Block& block, std::span<const Cell> cells) {
  write_raw(file, variable, block, memory_type<Cell>(), cells.data());
}

template <>
void write_cells(hid_t file, const Variable& variable, const Block& block,
                 std::span<const std::string> cells) {
  std::vector<const char*> texts;
  for (const std::string& cell : cells) texts.push_back(cell.c_str());
  write_raw(file, variable, block, text_type(), texts.data());
}

template <typename Cell>
std::vector<Cell> read_cells(hid_t file, const Variable& variable, const Block& block) {
  std::vector<Cell> cells(block.cells());
  read_raw(file, variable, block, memory_type<Cell>(), cells.data());
  return cells;
}

template <>
std::vector<std::string> read_cells(hid_t file, const Variable& variable, const Block& block) {
  std::vector<char*> texts(block.cells(), nullptr);
  const H5Type type = text_type();
  read_raw(file, variable, block, type, texts.data());
  std::vector<std::string> cells;
  for (const char* text : texts) cells.emplace_back(text ? text : "");
  const H5Space space = memory_space(block);
  H5_CALL(H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, texts.data()), "giving text back");
  return cells;
}

template void write_cells(hid_t, const Variable&, const Block&, std::span<const double>);
template void write_cells(hid_t, const Variable&, const Block&, std::span<const std::int32_t>);
template void write_cells(hid_t, const Variable&, const Block&, std::span<const std::uint32_t>);
template void write_cells(hid_t, const Variable&, const Block&, std::span<const std::uint64_t>);
template void write_cells(hid_t, const Variable&, const Block&, std::span<const std::int8_t>);
template void write_cells(hid_t, const Variable&, const Block&, std::span<const std::uint8_t>);
template std::vector<double> read_cells(hid_t, const Variable&, const Block&);
template std::vector<std::int32_t> read_cells(hid_t, const Variable&, const Block&);
template std::vector<std::uint32_t> read_cells(hid_t, const Variable&, const Block&);
template std::vector<std::uint64_t> read_cells(hid_t, const Variable&, const Block&);
template std::vector<std::int8_t> read_cells(hid_t, const Variable&, const Block&);
template std::vector<std::uint8_t> read_cells(hid_t, const Variable&, const Block&);

}  // namespace breakeven
