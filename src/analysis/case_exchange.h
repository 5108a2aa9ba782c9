// SPDX-License-Identifier: Apache-2.0
// A measured case's exchange by formula, beside what its phases say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/analysis/case_summary.h"
#include "src/analysis/exchange_time.h"

namespace breakeven::analysis {

// Means over the ranks and, of `formula`, over the runs done, each by its own launch's measurement.
struct CaseExchange {
  MeanTraffic traffic;
  ExchangeTime formula;
  bool has_root = false;           // one rank collects, and the others wait for what it makes of it
  double measured = not_measured;  // exchange and broadcast, without wait; NaN without runs of `phases`
  double ratio() const { return measured / formula.seconds(); }
};

// Nothing for a case that exchanges nothing, or that this program does not know.
std::optional<CaseExchange> exchange_of(const CaseSummary& summary, const Results& results);

// What is known to be in the difference between measured and formula, a few words each (docs/report.md);
// where nothing is and it is large, that.
std::vector<std::string> known_differences(const CaseSummary& summary, const CaseExchange& exchange,
                                           const Results& results);

}  // namespace breakeven::analysis
