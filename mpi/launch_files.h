// SPDX-License-Identifier: Apache-2.0
// What Open MPI keeps in file systems for a rank, and leaves there when the launcher is killed.
#pragma once

#include <sys/types.h>

#include <string>

namespace breakeven {

struct LaunchFiles {
  pid_t launcher = 0;             // the rank's parent
  std::string shared_memory;      // the segment that this rank made; "" without Open MPI's launcher
  std::string session_directory;  // the launcher's
};

// The file of the rank that calls.
LaunchFiles files_of_launch();

// After the rank has ended: removes its segment, and the session directory if the launcher has ended too.
void remove_leftovers(const LaunchFiles& files);

}  // namespace breakeven
