// SPDX-License-Identifier: Apache-2.0
// Reads a user's data set: HDF5 datasets `features` and `targets`, and their test_ twins.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include "src/core/failure.h"
#include "src/core/text/text_file.h"
#include "src/data/dataset.h"
#include "src/hdf5/h5.h"

namespace breakeven::data {
namespace {

constexpr std::uint32_t most_classes = 1u << 20;

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

// Values that the file does not hold itself might be in any other file, and a FIFO there would block for
// good.
void refuse_values_elsewhere(const hdf5::H5Dataset& dataset, const std::string& path, const char* name) {
  const hdf5::H5Properties how(H5_CALL(H5Dget_create_plist(dataset.get()), "reading data set " + path));
  if (H5Pget_layout(how.get()) == H5D_VIRTUAL || H5Pget_external_count(how.get()) != 0)
    refuse(path, fmt::format("the values of '{}' are in another file", name));
}

// The memory of this machine, which a data set must fit into.
double memory_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

Table read_table(const hdf5::H5File& file, const std::string& path, const char* name) {
  const std::string doing = fmt::format("reading '{}' of {}", name, path);
  const hdf5::H5Dataset dataset(H5_CALL(H5Dopen2(file.get(), name, H5P_DEFAULT), doing));
  refuse_values_elsewhere(dataset, path, name);
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
  const double bytes = static_cast<double>(padded[0]) * static_cast<double>(padded[1]) * sizeof(float);
  if (!(bytes <= memory_bytes()))
    refuse(path, fmt::format("'{}' needs {:.0f} GiB of memory; this machine has {:.0f}", name,
                             bytes / (1 << 30), memory_bytes() / (1 << 30)));
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

// A link does not count: it may lead to another file.
bool has(const hdf5::H5File& file, const char* name) {
  H5L_info_t link;
  return H5Lexists(file.get(), name, H5P_DEFAULT) > 0 &&
         H5Lget_info(file.get(), name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

bool holds_classes(const Table& targets) { return targets.integers && targets.dimensions == 1; }

// One more than the largest class number, which must be from 0 to below `most`.
std::uint32_t count_classes(const std::string& path, const char* name, const Table& targets,
                            std::uint32_t most) {
  const auto [least, largest] = std::minmax_element(targets.values.begin(), targets.values.end());
  if (!(*least >= 0 && *largest < static_cast<float>(most)))
    refuse(path, fmt::format("class numbers in '{}' must be from 0 to {}", name, most - 1));
  return static_cast<std::uint32_t>(*largest) + 1;
}

// Reads the test part into `data`, which has the training part.
void read_test_part(const hdf5::H5File& file, const std::string& path, DatasetFile& data) {
  Table targets = read_table(file, path, "test_targets");
  if (data.loss == LossKind::softmax_cross_entropy) {
    if (!holds_classes(targets)) refuse(path, "'test_targets' must hold class numbers, as 'targets' does");
    count_classes(path, "test_targets", targets, data.outputs);
  }
  data.test = join(path, "test_", read_table(file, path, "test_features"), std::move(targets));
  if (data.test.inputs != data.training.inputs)
    refuse(path, "'test_features' and 'features' have different widths");
  if (data.test.target_width != data.training.target_width)
    refuse(path, "'test_targets' and 'targets' have different widths");
}

DatasetFile read_undamaged(const std::string& path) {
  hdf5::silence_h5();
  if (const std::string problem = problem_of_file(path); !problem.empty()) refuse(path, "it " + problem);
  const hdf5::H5File file(
      H5_CALL(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "opening data set " + path));
  if (!has(file, "features") || !has(file, "targets"))
    refuse(path, "needs the datasets 'features' and 'targets'");

  DatasetFile data;
  Table targets = read_table(file, path, "targets");
  const bool classes = holds_classes(targets);
  data.loss = classes ? LossKind::softmax_cross_entropy : LossKind::mean_squared_error;
  data.outputs = classes ? count_classes(path, "targets", targets, most_classes) : targets.cols;
  data.training = join(path, "", read_table(file, path, "features"), std::move(targets));
  if (!has(file, "test_features")) return data;
  if (!has(file, "test_targets")) refuse(path, "has 'test_features' but no 'test_targets'");
  read_test_part(file, path, data);
  return data;
}

}  // namespace

DatasetFile read_dataset_here(const std::string& path) {
  try {
    return read_undamaged(path);
  } catch (const hdf5::H5Failure& failure) {
    refuse(path, "it is damaged or cannot be read: " + failure.cause());
  }
}

}  // namespace breakeven::data
