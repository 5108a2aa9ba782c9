// SPDX-License-Identifier: Apache-2.0
// Writes records as a new results file, by one process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/core/records/results.h"
#include "src/hdf5/h5.h"
#include "src/hdf5/layout.h"

namespace breakeven::hdf5 {

// The places that these launches and runs need.
Extents extents_for(const std::vector<Launch>& launches, const std::vector<RecordedRun>& runs);

// Writes labels, and the numbers of runs that are not planned, over the file. All other numbers are NaN,
// their space is allocated. Returns the checksum of each run's labels without its state (checksums.h).
// Throws Failure(file).
std::vector<std::uint64_t> write_results(const std::string& path, const std::vector<Launch>& launches,
                                         const std::vector<RecordedRun>& runs);

// Throws Failure(file): why the file cannot be written, by the system's words where HDF5 knows them.
[[noreturn]] void fail_writing(const std::string& path, const H5Failure& failure);

}  // namespace breakeven::hdf5
