// SPDX-License-Identifier: Apache-2.0
// Machines side by side: what differs between their files beside the machine.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/file_analysis.h"

namespace breakeven::report {

struct NamedMachine {
  std::string name;  // of its devices
  const analysis::FileAnalysis* file = nullptr;
};

// A warning for each machine that was measured with other kernels, another program or other settings than
// the first.
std::vector<std::string> machine_differences(const std::vector<NamedMachine>& machines);

std::vector<std::string> paths_of(const std::vector<NamedMachine>& machines);

}  // namespace breakeven::report
