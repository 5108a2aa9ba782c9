// SPDX-License-Identifier: Apache-2.0
// Prepares the results file of a launch: one process creates it, or makes a copy with the launch in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/hdf5/launch_lock.h"
#include "src/hdf5/launch_plan.h"

namespace breakeven::hdf5 {

struct PreparedFile {
  PlacedPlan plan;
  std::vector<std::uint64_t> label_sums;  // by run of the plan, without state (checksums.h)
  FileDescriptor file;                    // locked while the launch writes
};

// Writes a file with all launches, labels, and the numbers that are there; those of the plan are NaN. Runs
// that are left become this launch's. At every moment, a file of this name is complete. Throws Failure(file),
// and then leaves nothing behind.
PreparedFile prepare_file(const std::string& path, OpenMode mode, const LaunchPlan& plan);

// The size of the file that prepare_file() would write, about.
std::uint64_t bytes_to_prepare(const Results& before, const LaunchPlan& plan);

// Whether a launch of this plan was killed while it prepared to append it to the file.
bool was_about_to_append(const std::string& path, const LaunchPlan& plan);

// Returns when the file's contents are on its disk.
void flush_to_disk(const FileDescriptor& file, const std::string& path);

}  // namespace breakeven::hdf5
