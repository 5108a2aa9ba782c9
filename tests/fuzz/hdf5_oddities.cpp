// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/hdf5_oddities.h"

#include <algorithm>

namespace breakeven::fuzz {
namespace {

using namespace hdf5;

std::vector<hid_t> make_odd_types() {
  std::vector<hid_t> types{H5T_NATIVE_FLOAT,   H5T_NATIVE_DOUBLE, H5T_NATIVE_INT,   H5T_NATIVE_UINT8,
                           H5T_NATIVE_INT8,    H5T_NATIVE_UINT32, H5T_NATIVE_INT64, H5T_NATIVE_UINT64,
                           H5T_STD_I32BE,      H5T_IEEE_F64BE,    H5T_C_S1,         H5T_STD_REF_OBJ,
                           H5T_NATIVE_LDOUBLE, H5T_UNIX_D32LE,    H5T_NATIVE_B8};
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  const hid_t long_text = H5Tcopy(H5T_C_S1);
  H5Tset_size(long_text, 300);
  const hid_t pair = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(pair, "a", 0, H5T_NATIVE_INT);
  H5Tinsert(pair, "b", 4, H5T_NATIVE_FLOAT);
  const hsize_t three = 3;
  const hid_t array = H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &three);
  const hid_t list = H5Tvlen_create(H5T_NATIVE_DOUBLE);
  const hid_t words = H5Tenum_create(H5T_NATIVE_INT8);
  const signed char one = 1;
  H5Tenum_insert(words, "one", &one);
  const hid_t opaque = H5Tcreate(H5T_OPAQUE, 8);
  types.insert(types.end(), {text, long_text, pair, array, list, words, opaque});
  return types;
}

H5Properties properties_of(const std::vector<hsize_t>& size, Storage storage) {
  H5Properties how(H5Pcreate(H5P_DATASET_CREATE));
  std::vector<hsize_t> chunk(size);
  for (hsize_t& extent : chunk) extent = std::clamp<hsize_t>(extent, 1, 4);
  const int rank = static_cast<int>(size.size());
  if (storage == Storage::chunked || storage == Storage::compressed)
    H5Pset_chunk(how.get(), rank, chunk.data());
  if (storage == Storage::compressed) H5Pset_deflate(how.get(), 1);
  if (storage == Storage::compact) H5Pset_layout(how.get(), H5D_COMPACT);
  if (storage == Storage::external) H5Pset_external(how.get(), "/dev/zero", 0, H5F_UNLIMITED);
  if (storage == Storage::virtual_cells) {
    const H5Space space(H5Screate_simple(rank, size.data(), nullptr));
    H5Pset_virtual(how.get(), space.get(), "/dev/zero", "/x", space.get());
  }
  return how;
}

}  // namespace

hid_t odd_type(Decisions& decisions) {
  static const std::vector<hid_t> types = make_odd_types();
  return decisions.one_of(types);
}

H5Dataset make_dataset(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& size,
                       Storage storage) {
  const H5Space space(size.empty() ? H5Screate(H5S_SCALAR)
                                   : H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
  const H5Properties how = properties_of(size, storage);
  return H5Dataset(H5Dcreate2(file, name, type, space.get(), H5P_DEFAULT, how.get(), H5P_DEFAULT));
}

void make_entry(hid_t file, const char* name, Entry entry) {
  if (entry == Entry::external_link)
    H5Lcreate_external("/dev/zero", "/x", file, name, H5P_DEFAULT, H5P_DEFAULT);
  if (entry == Entry::soft_link) H5Lcreate_soft(name, file, name, H5P_DEFAULT, H5P_DEFAULT);
  if (entry == Entry::group) H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (entry == Entry::named_type) {
    const H5Type type(H5Tcopy(H5T_NATIVE_INT));
    H5Tcommit2(file, name, type.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  }
}

}  // namespace breakeven::fuzz
