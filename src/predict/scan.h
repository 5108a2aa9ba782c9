// SPDX-License-Identifier: Apache-2.0
// Predicted speed-ups over a range of batches, links or model sizes: for the break-evens of advice and for
// the break-even map.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/core/model/model_shape.h"
#include "src/predict/advisor.h"
#include "src/statistics/break_even.h"

namespace breakeven::predict {

// At one batch, factor on the link's bandwidth, or factor on the hidden widths.
struct ScanPoint {
  statistics::BreakEvenPoint place;  // with the configuration's own verdict
  statistics::Interval speedup;      // of the fastest configuration on more than one GPU
  Case what;                         // that configuration
  bool is_measured = false;
};

// The fastest configuration on more GPUs against the fastest single one. Powers of two from 16 to 65,536
// samples; a quarter to 64 times the link's bandwidth; a quarter to 8 times the hidden widths. In the fastest
// precision asked for. No widths and no map of a model whose layers are not known.
std::vector<ScanPoint> scan_batches(const Advisor& advisor, const Query& query);
std::vector<ScanPoint> scan_links(const Advisor& advisor, const Query& query);
std::vector<ScanPoint> scan_widths(const Advisor& advisor, const Query& query);

// The model with its hidden widths times the factor, to multiples of 8: what scan_widths asks for.
ModelShape with_hidden_widths(ModelShape shape, double factor);

// The speed-ups of one plan, a strategy on more than one GPU in one precision, over the same batches.
struct PlanScan {
  Case what;  // at the query's batch
  std::vector<statistics::BreakEvenPoint> points;
};
std::vector<PlanScan> scan_plans(const Advisor& advisor, const Query& query);

struct MapPoint {
  std::uint64_t parameters = 0;
  Configuration configuration;  // on more than one GPU, against the fastest single one in the same precision
};

// The break-even map: speed-ups of every configuration on more GPUs. Sizes: the query's model with all its
// widths times a factor, to multiples of 8, so that the parameters go in steps of about a third of an octave
// from the fewest to the most that were measured; the middle of each step. Batches: powers of two from the
// smallest measured one to the largest. All predicted, even if the very case was measured, so that points
// compare.
std::vector<MapPoint> map_speedups(const Advisor& advisor, Query query);

}  // namespace breakeven::predict
