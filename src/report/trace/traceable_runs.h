// SPDX-License-Identifier: Apache-2.0
// The runs of a file that `breakeven trace` can show.
#pragma once

#include <string>

#include "src/core/records/results.h"

namespace breakeven::report {

// A table of the cases with the numbers of their runs, for `--run`; "" where no run can be traced.
std::string traceable_runs(const Results& results);

}  // namespace breakeven::report
