// SPDX-License-Identifier: Apache-2.0
// A small results file in which nothing is wrong: two launches of a GPU and two, with and without phases, and
// `auto`.
#pragma once

#include "src/core/records/results.h"

namespace breakeven::fuzz {

Results right_results();

}  // namespace breakeven::fuzz
