// SPDX-License-Identifier: Apache-2.0
// What ends a report on one launch.
#pragma once

#include "src/core/records/results.h"
#include "src/report/document.h"

namespace breakeven {

// Command, revision, settings and time, an item each.
void add_launch_items(const Launch& launch, Document& document);

}  // namespace breakeven
