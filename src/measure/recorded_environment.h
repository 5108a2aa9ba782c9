// SPDX-License-Identifier: Apache-2.0
// What a results file says of a launch: command line, versions, settings and environment. Results files are
// shared, so only variables of a list are recorded, and never the value of a name that looks like a secret's.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven::measure {

using Variables = std::vector<std::pair<std::string, std::string>>;

// Whether the name holds KEY, TOKEN, SECRET or the like, in any case.
bool looks_secret(std::string_view name);

// The variables of this process that are on the list, and those of `chosen`, which --nccl has set.
Variables recorded_environment(const Variables& chosen);

// "breakeven" and the words as they were typed, but "NAME=***" for a secret.
std::string recorded_command_line(int argc, char** argv);

// The launch of a command, before its ranks and links are known. `settings` are the options that affect
// results, `nccl` the variables of --nccl.
Launch describe_launch(int argc, char** argv, Variables settings, const std::string& driver_version,
                       const Variables& nccl = {});

}  // namespace breakeven::measure
