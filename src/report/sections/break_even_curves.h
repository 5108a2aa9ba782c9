// SPDX-License-Identifier: Apache-2.0
// The speed-ups of a file in rows from which a break-even can be read: of a model over its batches, of a
// batch over the models, for each configuration and for the fastest.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/statistics/break_even.h"

namespace breakeven::report {

// What varies while all else stays the same.
enum class Along { batch, parameters };

struct BreakEvenCurve {
  Along along = Along::batch;
  std::string of;             // "medium", "batch 256", "batch 64 a GPU"
  std::string configuration;  // "ddp on 2", "the fastest on 2"
  int gpus = 0;
  std::size_t rivals = 1;  // of the fastest: of how many configurations at the most
  bool is_fastest() const { return rivals > 1; }
  bool leads = false;  // by batch: the fastest, or any where its number of GPUs and scaling have no fastest
  Scaling scaling = Scaling::strong;
  // Behind a batch of the curve: with weak scaling that of each GPU.
  std::string_view unit() const { return scaling == Scaling::weak && along == Along::batch ? " a GPU" : ""; }

  std::vector<statistics::BreakEvenPoint> points =
      {};  // in rising order, with the verdicts of the speed table
  std::vector<const analysis::CaseResult*> lines = {};  // the case at each point

  // For where it crosses 1. By model without blocks, so that the crossing has no interval: a model of a size
  // between two others has other layers.
  std::vector<statistics::BreakEvenPoint> points_to_cross() const;
};

// The fastest is chosen among the strategies that compute what one GPU computes. It pays where one of them
// does, by a verdict corrected for their number, and does not pay where none of them does. At each point its
// case is the one with the highest speed-up.
std::vector<BreakEvenCurve> curves_along_batches(const analysis::FileAnalysis& analysis,
                                                 const analysis::Group& group);

// The fastest of the measured cases for which `is_taken` holds, by batch, with the model and settings of
// `single`.
std::vector<statistics::BreakEvenPoint> measured_points(const analysis::FileAnalysis& analysis,
                                                        const Case& single,
                                                        const std::function<bool(const Case&)>& is_taken);

// Over groups that differ only in the model, by its parameters. None where those are not known, and none of
// models that are all equally large.
std::vector<BreakEvenCurve> curves_along_models(const analysis::FileAnalysis& analysis);

}  // namespace breakeven::report
