// SPDX-License-Identifier: Apache-2.0
// What a results file says of the environment and the command line. Results files are shared, so only
// variables of a list are recorded, and never the value of a name that looks like a secret's.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace breakeven::measure {

using Variables = std::vector<std::pair<std::string, std::string>>;

// Whether the name holds KEY, TOKEN, SECRET or the like, in any case.
bool looks_secret(std::string_view name);

// The variables of this process that are on the list, and those of `chosen`, which --nccl has set.
Variables recorded_environment(const Variables& chosen);

// "breakeven" and the words as they were typed, but "NAME=***" for a secret.
std::string recorded_command_line(int argc, char** argv);

}  // namespace breakeven::measure
