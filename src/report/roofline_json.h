// SPDX-License-Identifier: Apache-2.0
// Roofline as reports print them for machines: one object, null where not measured.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "src/core/records/roofline.h"

namespace breakeven {

nlohmann::ordered_json roofline_as_json(const Roofline& roofline);

}  // namespace breakeven
