// SPDX-License-Identifier: Apache-2.0
// What the results file records about the launch: command line, versions, settings, environment.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven::measure {

// The launch of a command, before its ranks and links are known. `settings` are the options that affect
// results. Only environment variables on an allow-list are recorded, because results files are shared.
Launch describe_launch(int argc, char** argv, std::vector<std::pair<std::string, std::string>> settings,
                       const std::string& driver_version);

}  // namespace breakeven::measure
