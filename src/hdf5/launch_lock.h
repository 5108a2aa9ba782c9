// SPDX-License-Identifier: Apache-2.0
// Keeps two launches from adding to one results file at the same time: the later launch would replace the
// file while the earlier one writes.
#pragma once

#include <unistd.h>

#include <string>

#include "src/core/handle.h"

namespace breakeven::hdf5 {

// A lock is held while its descriptor is open; the system closes it when the process ends in any way. It
// covers one byte far behind the end of the file, and a launch's lock is shared, so readers are not blocked.
// File systems without locks grant every lock.
using FileDescriptor = Handle<int, close, -1>;

// Locks a file to replace it. Throws Failure(file) while another launch holds or replaces the file.
FileDescriptor lock_to_replace(const std::string& path);

// Whether this process now has the file's lock alone, for a file that nobody else may know. False where the
// file system knows no locks.
bool lock_alone(const FileDescriptor& file);

// Lets others read, but not replace, the file that a launch writes into.
void lock_for_launch(const FileDescriptor& file);

// Whether the path still names the file that was opened.
bool is_named(const FileDescriptor& file, const std::string& path);

}  // namespace breakeven::hdf5
