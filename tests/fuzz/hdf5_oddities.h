// SPDX-License-Identifier: Apache-2.0
// Datasets, and what stands in their place, in all forms that HDF5 knows. The first of each list is the
// ordinary one.
#pragma once

#include <hdf5.h>

#include <array>
#include <vector>

#include "src/hdf5/h5.h"
#include "tests/fuzz/decisions.h"

namespace breakeven::fuzz {

// Mostly a dataset.
enum class Entry { dataset, missing, external_link, soft_link, group, named_type };
inline constexpr std::array<Entry, 16> entries{
    Entry::dataset, Entry::dataset,       Entry::dataset,   Entry::dataset,   Entry::dataset, Entry::dataset,
    Entry::dataset, Entry::dataset,       Entry::dataset,   Entry::dataset,   Entry::dataset, Entry::missing,
    Entry::group,   Entry::external_link, Entry::soft_link, Entry::named_type};

enum class Storage { contiguous, chunked, compressed, compact, external, virtual_cells };
inline constexpr std::array storages{Storage::contiguous, Storage::chunked,  Storage::compressed,
                                     Storage::compact,    Storage::external, Storage::virtual_cells};

// Its cells can be written into the file itself.
inline bool holds_its_cells(Storage storage) {
  return storage != Storage::external && storage != Storage::virtual_cells;
}

// It stays open until the program ends.
hid_t odd_type(Decisions& decisions);

// Without its cells' values. No extents: a scalar. Empty where HDF5 refuses.
hdf5::H5Dataset make_dataset(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& size,
                             Storage storage);

// Any entry but a dataset.
void make_entry(hid_t file, const char* name, Entry entry);

}  // namespace breakeven::fuzz
