// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/layout.h"

#include <hdf5_hl.h>

#include <algorithm>
#include <string>
#include <type_traits>

#include "src/hdf5/cells.h"
#include "src/hdf5/h5.h"

namespace breakeven::hdf5 {
namespace {

// A chunk is one run where there are steps, so that a run's numbers lie together; small variables share one.
std::vector<hsize_t> chunk_of(const Variable& variable, const Extents& extents) {
  constexpr hsize_t runs_a_chunk = 64;
  constexpr hsize_t most_steps_a_chunk = 4096;
  Extents chunk = extents;
  chunk[Dimension::run] = variable.has(Dimension::step) ? 1 : runs_a_chunk;
  chunk[Dimension::step] = std::min(chunk[Dimension::step], most_steps_a_chunk);
  chunk[Dimension::launch] = 1;
  for (hsize_t& places : chunk.places) places = std::max<hsize_t>(places, 1);
  return shape_of(variable, chunk);
}

std::vector<hsize_t> limit_of(const Variable& variable) {
  Extents limit;
  limit.places.fill(H5S_UNLIMITED);
  limit[Dimension::phase] = phase_count;
  return shape_of(variable, limit);
}

// Numbers are NaN or 0 and allocated at once, because no rank may allocate later. Text has no fill value:
// HDF5 cannot read an unwritten cell with a fill value from a file opened to read.
template <typename Cell>
void set_fill(hid_t properties, const std::string& doing) {
  if constexpr (!std::is_same_v<Cell, std::string>) {
    const Cell fill = std::is_same_v<Cell, double> ? static_cast<Cell>(not_measured) : Cell{};
    H5_CALL(H5Pset_fill_value(properties, memory_type<Cell>().get(), &fill), doing);
    H5_CALL(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY), doing);
  }
}

template <typename Cell>
H5Properties creation_properties(const Variable& variable, const Extents& extents) {
  const std::string doing = "describing variable " + std::string(variable.name);
  H5Properties properties(H5_CALL(H5Pcreate(H5P_DATASET_CREATE), doing));
  const std::vector<hsize_t> chunk = chunk_of(variable, extents);
  H5_CALL(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()), doing);
  H5_CALL(H5Pset_attr_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), doing);
  H5_CALL(H5Pset_obj_track_times(properties.get(), false), doing);  // a write changes numbers only
  set_fill<Cell>(properties.get(), doing);
  return properties;
}

template <typename Cell>
H5Dataset create_variable(hid_t file, const Variable& variable, const Extents& extents) {
  const std::string name(variable.name);
  const std::vector<hsize_t> shape = shape_of(variable, extents);
  const std::vector<hsize_t> limit = limit_of(variable);
  const H5Space space(H5_CALL(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), limit.data()),
                              "shaping variable " + name));
  const H5Type type = file_type<Cell>();
  const H5Properties properties = creation_properties<Cell>(variable, extents);
  return H5Dataset(H5_CALL(
      H5Dcreate2(file, name.c_str(), type.get(), space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
      "creating variable " + name + ", " + std::to_string(extents[Dimension::run]) + " runs"));
}

template <typename Source>
constexpr bool is_bool = false;
template <typename Owner>
constexpr bool is_bool<bool Owner::*> = true;

template <typename Source>
void describe_variable(hid_t dataset, const Variable& variable) {
  write_attribute(dataset, "long_name", variable.long_name);
  if (!variable.units.empty()) write_attribute(dataset, "units", variable.units);
  if constexpr (std::is_same_v<typename CellOf<Source>::type, double>)
    write_attribute(dataset, "_FillValue", not_measured);
  if constexpr (is_bool<Source>) write_attribute(dataset, "dtype", "bool");
}

H5Dataset create_described(hid_t file, const Variable& variable, const Extents& extents) {
  return std::visit(
      [&]<typename Source>(Source) {
        H5Dataset dataset = create_variable<typename CellOf<Source>::type>(file, variable, extents);
        describe_variable<Source>(dataset.get(), variable);
        return dataset;
      },
      variable.source);
}

void make_scale(hid_t dataset, const Variable& variable, int dimension_number) {
  const std::string name(variable.name);
  H5_CALL(H5DSset_scale(dataset, name.c_str()), "making a scale of " + name);
  write_attribute(dataset, "_Netcdf4Dimid", dimension_number);
}

void attach_scales(hid_t file, const Variable& variable) {
  const H5Dataset dataset = open_variable(file, variable);
  for (unsigned axis = 0; axis < variable.dimensions.size(); ++axis) {
    const auto dimension = static_cast<std::size_t>(variable.dimensions[axis]);
    const H5Dataset scale = open_variable(file, variable_named(dimension_names[dimension]));
    H5_CALL(H5DSattach_scale(dataset.get(), scale.get(), axis),
            "attaching the scales of " + std::string(variable.name));
  }
}

}  // namespace

std::vector<hsize_t> shape_of(const Variable& variable, const Extents& extents) {
  std::vector<hsize_t> shape;
  for (const Dimension dimension : variable.dimensions) shape.push_back(extents[dimension]);
  return shape;
}

void create_variables(hid_t file, const Extents& extents) {
  int dimension_number = 0;
  for (const Variable& variable : variables()) {
    const H5Dataset dataset = create_described(file, variable, extents);
    if (variable.is_coordinate()) make_scale(dataset.get(), variable, dimension_number++);
  }
  for (const Variable& variable : variables())
    if (!variable.is_coordinate()) attach_scales(file, variable);
}

std::uint64_t stored_bytes(const Extents& extents) {
  constexpr std::uint64_t text_bytes = 64;
  std::uint64_t bytes = 1 << 20;  // of HDF5's own
  for (const Variable& variable : variables()) {
    const std::vector<hsize_t> shape = shape_of(variable, extents);
    const std::vector<hsize_t> chunk = chunk_of(variable, extents);
    std::uint64_t cell_bytes = std::visit(
        []<typename Source>(const Source&) -> std::uint64_t {
          using Cell = typename CellOf<Source>::type;
          return std::is_same_v<Cell, std::string> ? text_bytes : sizeof(Cell);
        },
        variable.source);
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      cell_bytes *= (shape[axis] + chunk[axis] - 1) / chunk[axis] * chunk[axis];
    bytes += cell_bytes;
  }
  return bytes;
}

}  // namespace breakeven::hdf5
