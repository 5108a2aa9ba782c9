// SPDX-License-Identifier: Apache-2.0
// Reads a user's data set: HDF5 datasets `features` and `targets`, and their test_ twins.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "src/core/failure.h"
#include "src/data/dataset.h"
#include "src/hdf5/h5.h"

namespace breakeven::data {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& sentence) {
  throw Failure(ExitCode::file, fmt::format("data set '{}': {}", path, sentence));
}

// A dataset of numbers, converted to float by HDF5, with rows padded to 16 bytes.
struct Table {
  std::uint32_t rows = 0;
  std::uint32_t cols = 0;
  bool integers = false;
  int dimensions = 0;
  std::vector<float> values;
};

Table read_table(const hdf5::H5File& file, const std::string& path, const char* name) {
  const std::string doing = fmt::format("reading '{}' of {}", name, path);
  const hdf5::H5Dataset dataset(H5_CALL(H5Dopen2(file.get(), name, H5P_DEFAULT), doing));
  const hdf5::H5Type type(H5_CALL(H5Dget_type(dataset.get()), doing));
  const hdf5::H5Space space(H5_CALL(H5Dget_space(dataset.get()), doing));
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) refuse(path, fmt::format("'{}' does not hold numbers", name));

  Table table;
  table.dimensions = H5Sget_simple_extent_ndims(space.get());
  if (table.dimensions != 1 && table.dimensions != 2) {
    refuse(path, fmt::format("'{}' must have one or two dimensions", name));
  }
  std::array<hsize_t, 2> size{0, 1};
  H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
  if (size[0] < 1 || size[0] > (1u << 30) || size[1] < 1 || size[1] > (1u << 20)) {
    refuse(path, fmt::format("'{}' is empty or too large", name));
  }
  table.rows = static_cast<std::uint32_t>(size[0]);
  table.cols = static_cast<std::uint32_t>(size[1]);
  table.integers = kind == H5T_INTEGER;
  const std::array<hsize_t, 2> padded{size[0], static_cast<hsize_t>(padded_width(table.cols))};
  const std::array<hsize_t, 2> origin{0, 0};
  table.values.resize(padded[0] * padded[1]);
  const hdf5::H5Space memory(H5_CALL(H5Screate_simple(2, padded.data(), nullptr), doing));
  H5_CALL(H5Sselect_hyperslab(memory.get(), H5S_SELECT_SET, origin.data(), nullptr, size.data(), nullptr),
          doing);
  H5_CALL(H5Dread(dataset.get(), H5T_NATIVE_FLOAT, memory.get(), H5S_ALL, H5P_DEFAULT, table.values.data()),
          doing);
  const auto finite = [](float value) { return std::isfinite(value); };
  if (!std::all_of(table.values.begin(), table.values.end(), finite)) {
    refuse(path, fmt::format("'{}' holds a value that is not finite", name));
  }
  return table;
}

SampleTable join(const std::string& path, const std::string& prefix, Table features, Table targets) {
  if (features.dimensions != 2)
    refuse(path, fmt::format("'{}features' must have two dimensions, [samples, inputs]", prefix));
  if (features.rows != targets.rows) {
    refuse(path,
           fmt::format("'{0}features' has {1} rows, '{0}targets' {2}", prefix, features.rows, targets.rows));
  }
  return {features.rows, features.cols, targets.cols, std::move(features.values), std::move(targets.values)};
}

bool has(const hdf5::H5File& file, const char* name) { return H5Lexists(file.get(), name, H5P_DEFAULT) > 0; }

// One more than the largest class number, which may not be negative.
std::uint32_t count_classes(const std::string& path, const SampleTable& table) {
  const auto [least, most] = std::minmax_element(table.targets.begin(), table.targets.end());
  if (*least < 0 || *most >= (1u << 20)) refuse(path, "class numbers in 'targets' must be from 0 to 1048575");
  return static_cast<std::uint32_t>(*most) + 1;
}

}  // namespace

DatasetFile read_dataset_file(const std::string& path) {
  hdf5::silence_h5();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) refuse(path, "the file does not exist");
  const hdf5::H5File file(
      H5_CALL(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "opening data set " + path));
  if (!has(file, "features") || !has(file, "targets"))
    refuse(path, "needs the datasets 'features' and 'targets'");

  DatasetFile data;
  Table targets = read_table(file, path, "targets");
  const bool classes = targets.integers && targets.dimensions == 1;
  data.loss = classes ? LossKind::softmax_cross_entropy : LossKind::mean_squared_error;
  data.training = join(path, "", read_table(file, path, "features"), std::move(targets));
  data.outputs = classes ? count_classes(path, data.training) : data.training.target_width;
  if (!has(file, "test_features")) return data;
  if (!has(file, "test_targets")) refuse(path, "has 'test_features' but no 'test_targets'");
  data.test =
      join(path, "test_", read_table(file, path, "test_features"), read_table(file, path, "test_targets"));
  if (data.test.inputs != data.training.inputs || data.test.target_width != data.training.target_width) {
    refuse(path, "'test_features' and 'features' have different widths");
  }
  return data;
}

}  // namespace breakeven::data
