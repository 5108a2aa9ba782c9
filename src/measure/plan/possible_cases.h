// SPDX-License-Identifier: Apache-2.0
// Which cases can be measured, and `--strategies auto`: a case whose strategy and number of GPUs breakeven
// chooses among candidates.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "src/measure/plan/plan.h"

namespace breakeven::measure {

// The case, or why it cannot be measured: the batch does not divide, the step cannot be captured into a
// graph, or the strategy refuses. `graph` is on, off or auto; `what.transport` is the one for strategies that
// exchange.
std::variant<Case, UsageError> possible_case(Case what, const std::string& graph, const Offer& offer,
                                             const OfferedStrategy& strategy);

// The numbers of GPUs that --gpus names, each once.
std::variant<std::vector<int>, UsageError> gpu_counts(const Axes& axes, const Offer& offer);

// The case of `auto` with the other axes of `point`, on the largest of `gpus`. Unless `graph` is "off",
// candidates that can be captured into a graph are. Refuses weak scaling, because the batch would depend on
// the choice, and a case that no candidate can train.
std::variant<Case, UsageError> asked_case(Case point, const std::string& graph, const std::vector<int>& gpus,
                                          const Offer& offer);

// The offer's candidates that can train the case, on each of these numbers of GPUs, the first strategy first.
// On one GPU only strategies that exchange nothing: the overhead of the others never pays there.
std::vector<Case> candidates_of(const Case& asked, const std::vector<int>& gpus, const Offer& offer);

}  // namespace breakeven::measure
