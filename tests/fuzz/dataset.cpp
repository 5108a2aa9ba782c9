// SPDX-License-Identifier: Apache-2.0
// Data sets with odd types, ranks, extents, storage, links and values. libFuzzer's bytes decide which.
#include <hdf5.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "src/core/failure.h"
#include "src/data/dataset.h"
#include "src/hdf5/h5.h"
#include "tests/fuzz/decisions.h"
#include "tests/fuzz/hdf5_oddities.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/target.h"

namespace breakeven::fuzz {
namespace {

using namespace hdf5;

constexpr hsize_t most_cells = 4096;  // that values are written into

// What a dataset of its name should be, or that with one thing decided otherwise.
struct Planned {
  hid_t type;
  std::vector<hsize_t> size;
  Storage storage = Storage::contiguous;
};

Planned plan_of(bool is_features, Decisions& decisions) {
  // Around the limits of the reader; nothing that fits into memory and takes long.
  constexpr std::array<hsize_t, 13> extents{
      0, 1, 2, 3, 4, 5, 7, 1u << 12, 1u << 16, 1u << 20, (1u << 20) + 1, 1ull << 31, 1ull << 40};
  Planned plan{.type = is_features ? H5T_NATIVE_FLOAT : H5T_NATIVE_INT,
               .size = is_features ? std::vector<hsize_t>{7, 3} : std::vector<hsize_t>{7}};
  switch (decisions.below(6)) {
    case 1:
      plan.type = odd_type(decisions);
      break;
    case 2:
      plan.size.resize(decisions.below(5), 2);
      break;
    case 3:
      plan.size[decisions.below(plan.size.size())] = decisions.one_of(extents);
      break;
    case 4:
      plan.storage = decisions.one_of(storages);
      break;
    case 5:  // legal: floating-point targets of several outputs, and other numbers of both
      plan.type = is_features ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
      plan.size = {1 + decisions.below(9), 1 + decisions.below(9)};
      break;
    default:
      break;
  }
  return plan;
}

// Mostly 0, 1 and 2.
void write_values(hid_t dataset, hsize_t cells, Decisions& decisions) {
  constexpr std::array odd{-1.0,
                           -0.5,
                           2.5,
                           1048575.0,
                           1048576.0,
                           1e300,
                           -1e300,
                           std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()};
  std::vector<double> values(cells);
  for (hsize_t i = 0; i < cells; ++i) values[i] = static_cast<double>(i % 3);
  for (std::size_t changes = decisions.below(4); changes > 0 && cells > 0; --changes) {
    const std::size_t place = decisions.below(cells);
    values[place] = decisions.one_of(odd);
  }
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void add_dataset(hid_t file, const char* name, Decisions& decisions) {
  const Planned plan = plan_of(std::string_view(name).ends_with("features"), decisions);
  const H5Dataset dataset = make_dataset(file, name, plan.type, plan.size, plan.storage);
  hsize_t cells = 1;
  for (const hsize_t extent : plan.size) cells = cells > most_cells ? cells : cells * extent;
  if (dataset && cells <= most_cells && holds_its_cells(plan.storage))
    write_values(dataset.get(), cells, decisions);
}

void make_file(const std::string& path, Decisions& decisions) {
  const H5File file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  for (const char* name : {"features", "targets", "test_features", "test_targets"}) {
    const Entry entry = decisions.one_of(entries);
    if (entry == Entry::dataset)
      add_dataset(file.get(), name, decisions);
    else
      make_entry(file.get(), name, entry);
  }
}

std::string refusal_of_dataset(const std::string& input) {
  silence_h5();
  static const InputFile file;
  Decisions decisions(input);
  make_file(file.path(), decisions);
  try {
    data::read_dataset_here(file.path());
    return {};
  } catch (const Failure& failure) {
    return failure.what();
  }
}

}  // namespace

Target dataset_target() { return {"data-sets", refusal_of_dataset}; }

}  // namespace breakeven::fuzz
