// SPDX-License-Identifier: Apache-2.0
// `--strategies auto`: a case that leaves the strategy and the number of GPUs to the launch, and the cases
// among which it may choose.
#pragma once

#include <variant>
#include <vector>

#include "src/measure/plan/plan.h"

namespace breakeven {

// The numbers of GPUs that the axes name, each once.
std::variant<std::vector<int>, UsageError> gpu_counts(const Axes& axes, const Offer& offer);

// `auto` with the other words of `point`, on as many GPUs as it may choose. `graph` is a word of its axis:
// where it is not "off", those that can be a graph are. Refused: weak scaling, whose batch would depend on
// the choice; a case that no candidate can do.
std::variant<Case, UsageError> asked_case(Case point, const std::string& graph, const std::vector<int>& gpus,
                                          const Offer& offer);

// The offer's candidates that can do what was asked for, on each of these numbers of GPUs; the first strategy
// first. On one GPU only those that exchange nothing: the others' machinery never pays there.
std::vector<Case> candidates_of(const Case& asked, const std::vector<int>& gpus, const Offer& offer);

}  // namespace breakeven
