// SPDX-License-Identifier: Apache-2.0
// The words of a report as JSON: axes, phases, parts of a loss, verdicts and formats of numbers. Readers such
// as the Python package take them from here, and have no lists of their own.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace breakeven {

nlohmann::ordered_json json_vocabulary();

}  // namespace breakeven
