// SPDX-License-Identifier: Apache-2.0
// What a reader of the results may need to know about the launch.
#pragma once

#include "src/core/records/results.h"
#include "src/measure/plan/options.h"

namespace breakeven {

// A launch of any command, before its ranks and links are known. `settings` are the options that matter.
Launch describe_launch(int argc, char** argv, std::vector<std::pair<std::string, std::string>> settings,
                       const std::string& driver_version);

// Command line, revision, library versions, and the environment variables that change what is measured. Only
// variables on an allow-list are stored, because results files are shared.
Launch describe_launch(int argc, char** argv, const RunOptions& options, const Topology& topology,
                       const std::string& driver_version);

}  // namespace breakeven
