// SPDX-License-Identifier: Apache-2.0
// Reads the variables of a results file that may be damaged or forged. HDF5 works in a process of its own
// (apart.h); what it returns is checked here before it is used.
#pragma once

#include <string>
#include <vector>

#include "src/hdf5/contents.h"
#include "src/hdf5/launch_lock.h"

namespace breakeven::hdf5 {

// Opens a results file to read. Throws Failure(file) if it does not exist.
FileDescriptor open_to_read(const std::string& path);

// The variables that this program knows, in shapes that agree. `path` names the file in sentences. Throws
// Failure(file) with one sentence that begins with it.
Contents read_contents(const FileDescriptor& file, const std::string& path);

// schema_faults_in() of the file (file_faults.h); empty where read_contents() reads it.
std::vector<std::string> find_schema_faults(const FileDescriptor& file, const std::string& path);

}  // namespace breakeven::hdf5
