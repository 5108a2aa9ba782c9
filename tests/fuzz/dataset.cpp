// SPDX-License-Identifier: Apache-2.0
// Data set files with odd types, ranks, extents, links and values.
#include <hdf5.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <functional>
#include <string_view>

#include "src/core/failure.h"
#include "src/data/dataset.h"
#include "src/hdf5/h5.h"
#include "tests/fuzz/mutation.h"
#include "tests/fuzz/target.h"

namespace breakeven::fuzz {
namespace {

using namespace hdf5;

hid_t type_of(Mutation& mutation) {
  const std::array types{H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE, H5T_NATIVE_INT,    H5T_NATIVE_UINT8,
                         H5T_NATIVE_INT64, H5T_NATIVE_UINT64, H5T_C_S1,          H5T_STD_REF_OBJ,
                         H5T_NATIVE_B8,    H5T_UNIX_D32LE,    H5T_NATIVE_LDOUBLE};
  return mutation.one_of(types);
}

// What a dataset of its name should be; about every second one is changed in type, rank, extents or place.
struct Planned {
  hid_t type;
  std::size_t rank;
  std::array<hsize_t, 4> size;
  bool is_elsewhere = false;
};

Planned plan_of(bool is_features, Mutation& mutation) {
  constexpr std::array<hsize_t, 8> extents{0, 1, 2, 3, 7, 1u << 20, 1ull << 31, 1ull << 40};
  Planned plan{.type = is_features ? H5T_NATIVE_FLOAT : H5T_NATIVE_INT,
               .rank = is_features ? 2u : 1u,
               .size = {7, is_features ? 3u : 1u, 1, 1}};
  switch (mutation.below(8)) {
    case 0:
      plan.type = type_of(mutation);
      break;
    case 1:
      plan.rank = mutation.below(plan.size.size() + 1);
      break;
    case 2:
      plan.size[mutation.below(2)] = mutation.one_of(extents);
      break;
    case 3:
      plan.is_elsewhere = true;
      break;
    default:
      break;
  }
  return plan;
}

void add_dataset(hid_t file, std::string_view name, Mutation& mutation) {
  const Planned plan = plan_of(name.ends_with("features"), mutation);
  hsize_t cells = 1;
  for (std::size_t i = 0; i < plan.rank; ++i) cells = cells > 1000 ? cells : cells * plan.size[i];
  const H5Properties how(H5Pcreate(H5P_DATASET_CREATE));
  if (plan.is_elsewhere) H5Pset_external(how.get(), "/dev/zero", 0, H5F_UNLIMITED);
  const H5Space space(plan.rank == 0
                          ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(plan.rank), plan.size.data(), nullptr));
  const H5Dataset dataset(H5Dcreate2(file, std::string(name).c_str(), plan.type, space.get(), H5P_DEFAULT,
                                     how.get(), H5P_DEFAULT));
  if (!dataset || cells > 1000 || plan.is_elsewhere) return;
  std::array<double, 1000> values{};
  for (double& value : values)
    value = static_cast<double>(mutation.below(3)) - (mutation.below(50) == 0 ? 2.5 : 0);
  H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void make_file(const std::string& path, Mutation& mutation) {
  const H5File file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  for (const char* name : {"features", "targets", "test_features", "test_targets"}) {
    switch (mutation.below(24)) {
      case 0:
        break;
      case 1:
        H5Lcreate_external("/dev/zero", "/x", file.get(), name, H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 2:
        H5Lcreate_soft(name, file.get(), name, H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 3:
        H5Gclose(H5Gcreate2(file.get(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        break;
      default:
        add_dataset(file.get(), name, mutation);
    }
  }
}

}  // namespace

Target dataset_target() {
  return {"data sets", [](const std::string& text) -> Outcome {
            silence_h5();
            Mutation mutation(std::hash<std::string>()(text));
            const std::string path = (std::filesystem::temp_directory_path() /
                                      ("breakeven-fuzz-" + std::to_string(getpid()) + ".h5"))
                                         .string();
            make_file(path, mutation);
            Outcome outcome;
            try {
              data::read_dataset_here(path);
            } catch (const Failure& failure) {
              outcome.refusal = failure.what();
            }
            std::filesystem::remove(path);
            return outcome;
          }};
}

}  // namespace breakeven::fuzz
