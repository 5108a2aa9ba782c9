// SPDX-License-Identifier: Apache-2.0
// Keeps two launches from adding to one results file at the same time: the later one would replace the file
// under the earlier one's hands.
#pragma once

#include <unistd.h>

#include <string>

#include "src/core/handle.h"

namespace breakeven {

// A lock is held as long as its descriptor is open; the system closes it when the process ends, however it
// ends. It lies on a byte far behind the end of the file, and a launch shares its own, so that readers are
// not kept out. File systems that know no locks grant every one.
using FileDescriptor = Handle<int, close, -1>;

// Of an existing file that is to be replaced; throws Failure(file) while a launch holds it or replaces it.
FileDescriptor lock_to_replace(const std::string& path);

// Of the file that a launch is going to write into.
FileDescriptor lock_for_launch(const std::string& path);

}  // namespace breakeven
