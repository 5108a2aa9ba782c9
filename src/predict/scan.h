// SPDX-License-Identifier: Apache-2.0
// The fastest way on more GPUs against the fastest single one, at one batch, link or model size after
// another: what the break-evens of advice are looked for in.
#pragma once

#include <vector>

#include "src/predict/advisor.h"
#include "src/statistics/break_even.h"

namespace breakeven {

// At one batch, factor on the link's bandwidth, or factor on the hidden widths.
struct ScanPoint {
  BreakEvenPoint place;
  Interval speedup;  // of the fastest way on more than one GPU
  std::string strategy;
  Payoff verdict = Payoff::not_measured;
};

// Powers of two from 16 to 65,536 samples; a quarter to 64 times the link's bandwidth; a quarter to 8 times
// the hidden widths. In the fastest precision asked for.
std::vector<ScanPoint> scan_batches(const Advisor& advisor, Query query);
std::vector<ScanPoint> scan_links(const Advisor& advisor, Query query);
std::vector<ScanPoint> scan_widths(const Advisor& advisor, Query query);

}  // namespace breakeven
