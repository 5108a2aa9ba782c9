// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/file_changes.h"

#include <hdf5.h>
#include <hdf5_hl.h>

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "src/hdf5/h5.h"
#include "src/hdf5/schema.h"
#include "tests/fuzz/hdf5_oddities.h"

namespace breakeven::fuzz {
namespace {

using namespace hdf5;

constexpr std::size_t most_changes = 3;
constexpr std::array<hsize_t, 8> odd_extents{0, 1, 2, 3, 5, 1u << 20, 1ull << 40, 1ull << 62};

std::vector<hsize_t> shape_of_dataset(hid_t dataset) {
  const H5Space space(H5Dget_space(dataset));
  std::vector<hsize_t> shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
  H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  return shape;
}

void replace_by_dataset(hid_t file, const char* name, Decisions& decisions) {
  const H5Dataset before(H5Dopen2(file, name, H5P_DEFAULT));
  if (!before) return;
  std::vector<hsize_t> shape = shape_of_dataset(before.get());
  const H5Type type_before(H5Dget_type(before.get()));
  H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t type = decisions.below(2) == 0 ? odd_type(decisions) : type_before.get();
  if (decisions.below(3) == 2) shape.resize(decisions.below(6), 1);
  if (decisions.below(3) == 2 && !shape.empty())
    shape[decisions.below(shape.size())] = decisions.one_of(odd_extents);
  make_dataset(file, name, type, shape, decisions.one_of(storages));
}

void extend(hid_t file, const char* name, Decisions& decisions) {
  const H5Dataset dataset(H5Dopen2(file, name, H5P_DEFAULT));
  if (!dataset) return;
  std::vector<hsize_t> shape = shape_of_dataset(dataset.get());
  constexpr std::array<hsize_t, 4> extents{0, 1, 4, 7};  // their space is allocated at once
  if (!shape.empty()) shape[decisions.below(shape.size())] = decisions.one_of(extents);
  H5Dset_extent(dataset.get(), shape.data());
}

void change_format(hid_t file, Decisions& decisions) {
  H5Adelete(file, "Conventions");
  const std::size_t kind = decisions.below(6);
  if (kind == 1) write_attribute(file, "Conventions", 1.5);
  if (kind == 2) write_attribute(file, "Conventions", "breakeven-results-2");
  if (kind == 3) write_attribute(file, "Conventions", "x" + decisions.text());
  if (kind < 4) return;
  const H5Type type(H5Tcopy(H5T_C_S1));
  if (kind == 4) H5Tset_size(type.get(), H5T_VARIABLE);
  const hsize_t two = 2;
  const H5Space space(H5Screate_simple(1, &two, nullptr));
  const H5Attribute list(H5Acreate2(file, "Conventions", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
}

void detach_scale(hid_t file, const char* name, Decisions& decisions) {
  const H5Dataset dataset(H5Dopen2(file, name, H5P_DEFAULT));
  if (!dataset) return;
  const char* attributes[] = {"DIMENSION_LIST", "CLASS", "REFERENCE_LIST", "_Netcdf4Dimid"};
  H5Adelete(dataset.get(), decisions.one_of(std::span(attributes)));
}

void change_once(hid_t file, Decisions& decisions) {
  const std::size_t kind = decisions.below(8);
  if (kind == 0) return change_format(file, decisions);
  const std::string name(decisions.one_of(variables()).name);
  if (kind == 1) return detach_scale(file, name.c_str(), decisions);
  if (kind == 2) return extend(file, name.c_str(), decisions);
  if (kind < 6) return replace_by_dataset(file, name.c_str(), decisions);
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  make_entry(file, name.c_str(), decisions.one_of(entries));
}

}  // namespace

void change_file(const std::string& path, Decisions& decisions) {
  const H5File file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  for (std::size_t changes = 0; changes < most_changes && !decisions.is_over(); ++changes)
    change_once(file.get(), decisions);
}

}  // namespace breakeven::fuzz
