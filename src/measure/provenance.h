// SPDX-License-Identifier: Apache-2.0
// Everything about a launch that a reader of its figures may ask later.
#pragma once

#include "src/core/records/results.h"
#include "src/measure/plan/options.h"

namespace breakeven {

// A launch of any command, before its ranks and links are known. `settings` are the options that matter.
Launch describe_launch(int argc, char** argv, std::vector<std::pair<std::string, std::string>> settings,
                       const std::string& driver_version);

// Command line, sources, library versions, and the variables of the environment that change what is measured:
// those on an allow-list, never all, since results files are passed around.
Launch describe_launch(int argc, char** argv, const RunOptions& options, const Topology& topology,
                       const std::string& driver_version);

}  // namespace breakeven
