// SPDX-License-Identifier: Apache-2.0
// One strategy at one point of all other axes.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "src/measure/plan/plan.h"

namespace breakeven {

// The case, or why it cannot be measured: a batch that does not divide, a graph that cannot be captured, a
// strategy that does not do it. `graph` is a word of its axis; `what.transport` is that of a strategy that
// exchanges.
std::variant<Case, UsageError> possible_case(Case what, const std::string& graph, const Offer& offer,
                                             const OfferedStrategy& strategy);

}  // namespace breakeven
