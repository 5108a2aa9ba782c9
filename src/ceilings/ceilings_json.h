// SPDX-License-Identifier: Apache-2.0
// Ceilings as reports print them for machines: one object, null where not measured.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "src/record/ceilings.h"

namespace breakeven {

nlohmann::ordered_json ceilings_as_json(const Ceilings& ceilings);

}  // namespace breakeven
