// SPDX-License-Identifier: Apache-2.0
// What the results file records about the launch: command line, versions, settings, environment.
#pragma once

#include <string>

#include "src/core/records/results.h"
#include "src/measure/recorded_environment.h"

namespace breakeven::measure {

// The launch of a command, before its ranks and links are known. `settings` are the options that affect
// results, `nccl` the variables of --nccl.
Launch describe_launch(int argc, char** argv, Variables settings, const std::string& driver_version,
                       const Variables& nccl = {});

}  // namespace breakeven::measure
