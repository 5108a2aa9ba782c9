// SPDX-License-Identifier: Apache-2.0
// What one process does with a whole results file: make it, add a launch to it, open it to read.
#pragma once

#include <string>

#include "src/hdf5/h5.h"
#include "src/hdf5/launch_lock.h"
#include "src/hdf5/launch_plan.h"

namespace breakeven {

struct PreparedFile {
  PlacedPlan plan;
  FileDescriptor lock;  // to be held while the launch writes
};

// Makes or extends the file with the launch's labels, NaN for its numbers and their space allocated. The runs
// that are left become this launch's. A file of this name is whole at every moment.
PreparedFile prepare_file(const std::string& path, OpenMode mode, const LaunchPlan& plan);

// To read; throws Failure(file) with one sentence where it is not a results file.
H5File open_results(const std::string& path);

// By one process that fills in numbers of a prepared file.
H5File open_to_write(const std::string& path);

// Returns when the file's contents are on its disk.
void flush_to_disk(const std::string& path);

}  // namespace breakeven
