// SPDX-License-Identifier: Apache-2.0
// Where the figures of a JSON report come from: machine, command, sources, versions, settings, environment.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "src/core/records/results.h"

namespace breakeven {

nlohmann::ordered_json launch_as_json(const Launch& launch);

}  // namespace breakeven
