// SPDX-License-Identifier: Apache-2.0
// What one process does with a whole results file: create it, add a launch, open it.
#pragma once

#include <string>

#include "src/hdf5/h5.h"
#include "src/hdf5/launch_lock.h"
#include "src/hdf5/launch_plan.h"

namespace breakeven::hdf5 {

struct PreparedFile {
  PlacedPlan plan;
  FileDescriptor lock;  // held while the launch writes
};

// Creates or extends the file with the launch's labels, and allocates its numbers as NaN. Runs that are left
// become this launch's. At every moment, a file of this name is complete.
PreparedFile prepare_file(const std::string& path, OpenMode mode, const LaunchPlan& plan);

// Opens to read. Throws Failure(file) with one sentence where it is not a results file.
H5File open_results(const std::string& path);

// Opens a prepared file for one process that fills in numbers.
H5File open_to_write(const std::string& path);

// Returns when the file's contents are on its disk.
void flush_to_disk(const std::string& path);

}  // namespace breakeven::hdf5
