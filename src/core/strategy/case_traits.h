// SPDX-License-Identifier: Apache-2.0
// What a case's strategy makes of its numbers: how many samples a step has, and whose seconds they are.
#pragma once

#include <cstdint>

#include "src/core/case.h"
#include "src/strategy/strategy.h"

namespace breakeven {

// Those of any strategy where a file of another version names one that is not known here.
StrategyTraits traits_of(const Case& what);

// Over all GPUs: the case's batch, or as many of them as there are independent copies.
double samples_a_step(const Case& what);
std::uint32_t rows_a_gpu(const Case& what);

}  // namespace breakeven
