// SPDX-License-Identifier: Apache-2.0
// What `collectives` prints. docs/collectives.md explains every column.
#pragma once

#include <string>
#include <vector>

#include "src/bench/collectives/collective_rows.h"
#include "src/core/records/results.h"
#include "src/report/format/report_format.h"

namespace breakeven::bench {

inline constexpr int collectives_version = 1;  // of the JSON: raised where a key changes its meaning or goes

std::string collective_report(const Launch& launch, const std::vector<CollectiveRow>& rows,
                              report::ReportFormat format);

bool all_right(const std::vector<CollectiveRow>& rows);  // no value was wrong

}  // namespace breakeven::bench
