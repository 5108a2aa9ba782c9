// SPDX-License-Identifier: Apache-2.0
// What the results file records about the launch: command line, versions, settings, environment.
#pragma once

#include "src/core/records/results.h"
#include "src/measure/plan/options.h"

namespace breakeven {

// A launch of any command, before its ranks and links are known. `settings` are the options that affect
// results.
Launch describe_launch(int argc, char** argv, std::vector<std::pair<std::string, std::string>> settings,
                       const std::string& driver_version);

// A launch of `run`. Only environment variables on an allow-list are stored, because results files are
// shared.
Launch describe_launch(int argc, char** argv, const RunOptions& options, const Topology& topology,
                       const std::string& driver_version);

}  // namespace breakeven
