// SPDX-License-Identifier: Apache-2.0
// What two files were measured with, where it is not the same.
#pragma once

#include <string>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven {

// Of one fact, the words of all launches of each file, each once: "13.0; 13.1". "" where none recorded it.
struct LaunchDifference {
  std::string fact;  // "version of cuda"
  std::string before;
  std::string after;
};

// Machine, hosts, links by kind, revision, versions, settings, environment, in this order. Speeds of links
// and devices are measured and differ always; they are no difference of the environment.
std::vector<LaunchDifference> launch_differences(const Results& before, const Results& after);

}  // namespace breakeven
