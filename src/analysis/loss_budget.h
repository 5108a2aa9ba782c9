// SPDX-License-Identifier: Apache-2.0
// Where the time goes that a step on N GPUs takes above the ideal, the base's step / N. docs/report.md has
// each part's formula.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "src/analysis/comparison.h"

namespace breakeven::analysis {

enum class LossPart {
  smaller_shapes,      // one GPU at a rank's rows does less a second than at the whole batch
  strategy_overhead,   // what the strategy computes beyond that
  compute,             // those two together, where nothing tells them apart
  launch_gaps,         // between operations
  exchange_latency,    // of the exchange's calls
  exchange_bandwidth,  // of its bytes
  exchange,            // those two together, where nothing tells them apart
  waiting,             // for slower ranks
  clock_drop,          // the GPUs' clock below the single one's
  timing_overhead,     // what the events of the phases took: taken off
  unexplained          // what is left, with its sign
};

struct LossPartInfo {
  LossPart part;
  std::string_view key;
  std::string_view title;  // "\n" where a narrow column breaks it
  std::string_view cause;  // in a sentence, the parts of one cause together; "": none
};

inline constexpr std::array loss_parts{
    LossPartInfo{LossPart::smaller_shapes, "smaller_shapes", "Smaller\nshapes", "smaller shapes"},
    LossPartInfo{LossPart::strategy_overhead, "machinery", "Machi-\nnery", "machinery"},
    LossPartInfo{LossPart::compute, "compute", "Both to-\ngether", "compute"},
    LossPartInfo{LossPart::launch_gaps, "launch_gaps", "Launch\ngaps", "launch gaps"},
    LossPartInfo{LossPart::exchange_latency, "exchange_latency", "Exchange\nlatency", "exchange"},
    LossPartInfo{LossPart::exchange_bandwidth, "exchange_bandwidth", "Band-\nwidth", "exchange"},
    LossPartInfo{LossPart::exchange, "exchange", "Exchange\nin all", "exchange"},
    LossPartInfo{LossPart::waiting, "waiting", "Waiting", "waiting"},
    LossPartInfo{LossPart::clock_drop, "clock_drop", "Clock\ndrop", "lower clocks"},
    LossPartInfo{LossPart::timing_overhead, "observer", "Ob-\nserver", ""},
    LossPartInfo{LossPart::unexplained, "rest", "Rest", "unexplained"},
};

constexpr const LossPartInfo& info_of(LossPart part) { return loss_parts[static_cast<std::size_t>(part)]; }

// Of a loss; "exchange" has its latency and its bandwidth.
struct LossCause {
  std::string_view name;
  double seconds;
};

// Seconds of one step. A part that was not measured is NaN; those that were, with the unexplained one, add up
// to the whole.
struct LossBudget {
  double step = not_measured;
  double ideal = not_measured;
  double whole = not_measured;             // step - ideal
  double whole_half_width = not_measured;  // of its 95 % interval
  bool by_phases = false;  // else of total times alone: gaps stand in shapes and strategy overhead, all that
                           // more GPUs bring is unexplained
  bool strategy_overhead_measured =
      false;  // on one GPU at a rank's rows; else it is the difference in compute
  std::array<double, loss_parts.size()> parts = not_one_measured();

  double& operator[](LossPart part) { return parts[static_cast<std::size_t>(part)]; }
  double operator[](LossPart part) const { return parts[static_cast<std::size_t>(part)]; }
  bool has_parts() const;           // any beside the unexplained one
  bool explains_the_whole() const;  // by phases, and what is unexplained is within the whole's interval
  // The part that was not measured by itself, but is what the others leave. Where that is not the unexplained
  // one, it is near zero by construction and proves nothing.
  LossPart by_construction() const;
  // That takes the most of the loss. Nothing where none is shown: it is not above its own interval.
  std::optional<LossCause> largest_cause() const;

 private:
  static constexpr std::array<double, loss_parts.size()> not_one_measured() {
    std::array<double, loss_parts.size()> parts{};
    parts.fill(not_measured);
    return parts;
  }
};

// `comparison` is the case's with its base, `cases` all of the file. Nothing where either was not measured.
std::optional<LossBudget> loss_budget_of(const MeasuredCase& measured, const Comparison& comparison,
                                         const std::vector<MeasuredCase>& cases, const Results& results);

}  // namespace breakeven::analysis
