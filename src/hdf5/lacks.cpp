// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/lacks.h"

#include <hdf5_hl.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/hdf5/cells.h"

namespace breakeven::hdf5 {
namespace {

template <typename Call>
decltype(auto) with_cell(const Variable& variable, Call call) {
  return std::visit([&]<typename Source>(
                        const Source&) { return call.template operator()<typename CellOf<Source>::type>(); },
                    variable.source);
}

// "float64 of (run, rank) in s: time of a step"
std::string should_be(const Variable& variable) {
  std::vector<std::string_view> names;
  for (const Dimension dimension : variable.dimensions)
    names.push_back(dimension_names[static_cast<std::size_t>(dimension)]);
  const std::string_view type = with_cell(variable, []<typename Cell>() { return name_of_type<Cell>(); });
  const bool has_units = !variable.units.empty() && variable.units != "1";
  return fmt::format("{} of ({}){}{}: {}", type, fmt::join(names, ", "), has_units ? " in " : "",
                     has_units ? variable.units : "", variable.long_name);
}

std::vector<hsize_t> shape_of(hid_t dataset) {
  const H5Space space(H5_CALL(H5Dget_space(dataset), "measuring a variable"));
  const int rank = H5_CALL(H5Sget_simple_extent_ndims(space.get()), "measuring a variable");
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  H5_CALL(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr), "measuring a variable");
  return shape;
}

// Of a variable of the right rank: each axis belongs to its dimension's coordinate, and is as long.
std::string lack_of_axes(hid_t file, hid_t dataset, const Variable& variable) {
  if (variable.is_coordinate())
    return H5DSis_scale(dataset) > 0 ? "" : "is not a dimension scale (H5DSset_scale; h5py: make_scale)";
  const std::vector<hsize_t> shape = shape_of(dataset);
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    const Variable& coordinate =
        variable_named(dimension_names[static_cast<std::size_t>(variable.dimensions[axis])]);
    if (kind_of(file, coordinate) != KindOfEntry::object) continue;  // which is a lack of its own
    const H5Dataset scale = open_variable(file, coordinate);
    const std::vector<hsize_t> places = shape_of(scale.get());
    if (places.size() == 1 && places[0] != shape[axis])
      return fmt::format("has {} places along axis {}, where the coordinate {} has {}", shape[axis], axis,
                         coordinate.name, places[0]);
    if (H5DSis_scale(scale.get()) > 0 && H5DSis_attached(dataset, scale.get(), axis) == 0)
      return fmt::format("has no dimension scale {} attached to axis {} (H5DSattach_scale)", coordinate.name,
                         axis);
  }
  return "";
}

// What follows the variable's name; "" where it is as the table has it.
std::string lack_of(hid_t file, const Variable& variable) {
  const KindOfEntry kind = kind_of(file, variable);
  if (kind == KindOfEntry::none) return variable.is_addition ? "" : "is missing";
  if (kind == KindOfEntry::link) return "is a link, not a variable";
  const H5Dataset dataset = open_variable(file, variable);
  if (is_stored_elsewhere(dataset.get())) return "has its cells in another file";
  if (!with_cell(variable, [&]<typename Cell>() { return has_type<Cell>(dataset.get()); }))
    return "has another type";
  if (const std::size_t rank = shape_of(dataset.get()).size(); rank != variable.dimensions.size())
    return fmt::format("has {} dimensions", rank);
  return lack_of_axes(file, dataset.get(), variable);
}

std::string tried_lack_of(hid_t file, const Variable& variable) {
  try {
    return lack_of(file, variable);
  } catch (const H5Failure& failure) {
    return fmt::format("cannot be read as a variable: {}", failure.cause());
  }
}

bool tracks_creation_order(hid_t file) {
  const Handle<hid_t, H5Gclose, H5I_INVALID_HID> root(
      H5_CALL(H5Gopen2(file, "/", H5P_DEFAULT), "opening it"));
  const H5Properties properties(H5_CALL(H5Gget_create_plist(root.get()), "reading how it was made"));
  unsigned flags = 0;
  H5_CALL(H5Pget_link_creation_order(properties.get(), &flags), "reading how it was made");
  return (flags & H5P_CRT_ORDER_TRACKED) != 0;
}

}  // namespace

std::vector<std::string> lacks_in(hid_t file) {
  std::vector<std::string> lacks;
  if (const std::string found = read_text_attribute(file, "Conventions"); found != format_name)
    lacks.push_back(
        fmt::format("the attribute Conventions is '{}'; it should be the text '{}', of fixed length", found,
                    format_name));
  if (!tracks_creation_order(file))
    lacks.emplace_back(
        "the order of the variables is not recorded; it should be, since checksums follow it (h5py: "
        "track_order=True)");
  for (const Variable& variable : variables()) {
    const std::string lack = tried_lack_of(file, variable);
    if (!lack.empty())
      lacks.push_back(fmt::format("{} {}; it should be {}", variable.name, lack, should_be(variable)));
  }
  return lacks;
}

}  // namespace breakeven::hdf5
