// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/cells.h"

#include <functional>
#include <numeric>

#include <nlohmann/json.hpp>

#include "src/core/failure.h"

namespace breakeven::hdf5 {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

H5Space memory_space(const Block& block) {
  const hsize_t cells = block.cells();
  return H5Space(H5_CALL(H5Screate_simple(1, &cells, nullptr), "a block in memory"));
}

}  // namespace

hsize_t Block::cells() const {
  return std::accumulate(count.begin(), count.end(), hsize_t{1}, std::multiplies<>());
}

H5Type copy_of(hid_t type) { return H5Type(H5_CALL(H5Tcopy(type), "a type of cells")); }

H5Type text_type() {
  H5Type type = copy_of(H5T_C_S1);
  H5_CALL(H5Tset_size(type.get(), H5T_VARIABLE), "the type of text");
  H5_CALL(H5Tset_cset(type.get(), H5T_CSET_UTF8), "the type of text");
  return type;
}

bool has_variable(hid_t file, const Variable& variable) {
  const std::string name(variable.name);
  return H5_CALL(H5Lexists(file, name.c_str(), H5P_DEFAULT), "looking for variable " + name) > 0;
}

KindOfEntry kind_of(hid_t file, const Variable& variable) {
  if (!has_variable(file, variable)) return KindOfEntry::none;
  const std::string name(variable.name);
  H5L_info_t info;
  H5_CALL(H5Lget_info(file, name.c_str(), &info, H5P_DEFAULT), "looking for variable " + name);
  return info.type == H5L_TYPE_HARD ? KindOfEntry::object : KindOfEntry::link;
}

bool is_stored_elsewhere(hid_t dataset) {
  const H5Properties properties(H5_CALL(H5Dget_create_plist(dataset), "reading a layout"));
  return H5Pget_layout(properties.get()) == H5D_VIRTUAL || H5Pget_external_count(properties.get()) != 0;
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

void write_into(hid_t dataset, const Variable& variable, const Block& block, const H5Type& type,
                const void* data) {
  const std::string doing = "writing variable " + std::string(variable.name);
  const H5Space memory = memory_space(block);
  const H5Space place = select_block(dataset, block, doing);
  H5_CALL(H5Dwrite(dataset, type.get(), memory.get(), place.get(), H5P_DEFAULT, data), doing);
}

void write_block(hid_t file, const Variable& variable, const Block& block, const H5Type& type,
                 const void* data) {
  write_into(open_variable(file, variable).get(), variable, block, type, data);
}

template <>
void write_cells(hid_t file, const Variable& variable, const Block& block,
                 std::span<const std::string> cells) {
  std::vector<const char*> texts;
  for (const std::string& cell : cells) texts.push_back(cell.c_str());
  write_block(file, variable, block, text_type(), texts.data());
}

std::string to_cell(const std::string& text) { return Json::parse(dump(text)).get<std::string>(); }

std::string to_cell(const Pairs& pairs) {
  Json object = Json::object();
  for (const auto& [key, value] : pairs) object[key] = value;
  return dump(object);
}

void from_cell(std::uint8_t cell, RunStatus& status) {
  if (!(cell <= static_cast<std::uint8_t>(RunStatus::verified)))
    throw Failure(ExitCode::file,
                  "the results file holds an unknown status of a run: " + std::to_string(cell));
  status = static_cast<RunStatus>(cell);
}

void from_cell(std::uint8_t cell, StopReason& reason) {
  if (!(cell <= static_cast<std::uint8_t>(StopReason::repeats)))
    throw Failure(ExitCode::file,
                  "the results file holds an unknown reason to stop a case: " + std::to_string(cell));
  reason = static_cast<StopReason>(cell);
}

void from_cell(const std::string& cell, Pairs& pairs) {
  constexpr int deepest = 8;        // the program writes 1; what it prints of a value, it prints recursively
  constexpr int most_names = 1000;  // ordered objects look for each name among all before it
  bool is_odd = false;
  int names = 0;
  const Json object = Json::parse(
      cell,
      [&](int depth, Json::parse_event_t event, const Json&) {
        if (event == Json::parse_event_t::key) ++names;
        is_odd = is_odd || depth > deepest || names > most_names;
        return !is_odd;
      },
      false);
  if (is_odd || !object.is_object())
    throw Failure(ExitCode::file, "the results file holds no JSON object in: " + cell.substr(0, 40));
  pairs.clear();
  for (const auto& [key, value] : object.items())
    pairs.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace breakeven::hdf5
