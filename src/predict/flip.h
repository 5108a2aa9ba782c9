// SPDX-License-Identifier: Apache-2.0
// Where an answer turns: at which batch, link or model size more GPUs become the faster way, or cease to be.
#pragma once

#include <vector>

#include "src/predict/advisor.h"

namespace breakeven {

// More GPUs against the best single one at one point of a scan.
struct ScanPoint {
  double at = 0;     // batch, factor on the link's bandwidth, or factor on the hidden widths
  Interval speedup;  // of the fastest way on more than one GPU
  std::string strategy;
  Payoff verdict = Payoff::not_measured;
};

// Where the speed-up crosses 1.
struct Flip {
  double at = not_measured;  // between two points by a line in the logarithms
  bool begins = true;        // more GPUs pay from here on; else up to here
  // The nearest points on either side where the interval of the speed-up leaves out 1; NaN: there is none
  // before the next crossing.
  double low = not_measured;
  double high = not_measured;
};

// Points in rising order; flips in the same. None where the speed-up is on the same side of 1 at all of them.
std::vector<Flip> find_flips(const std::vector<ScanPoint>& points);

// Powers of two from 16 to 65,536 samples; a quarter to 64 times the link's bandwidth; a quarter to 8 times
// the hidden widths. In the fastest precision asked for.
std::vector<ScanPoint> scan_batches(const Advisor& advisor, Question question);
std::vector<ScanPoint> scan_links(const Advisor& advisor, Question question);
std::vector<ScanPoint> scan_widths(const Advisor& advisor, Question question);

}  // namespace breakeven
