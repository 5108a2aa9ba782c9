// SPDX-License-Identifier: Apache-2.0
// The time that a step on N GPUs loses against perfect scaling, the baseline's step / N, divided by cause.
// docs/report.md has each part's formula.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "src/analysis/case_exchange.h"
#include "src/analysis/comparison.h"

namespace breakeven::analysis {

enum class LossPart {
  gemm_efficiency,     // one GPU at a rank's rows does less a second than at the whole batch
  strategy_overhead,   // what the strategy computes beyond that
  compute,             // those two together, where nothing tells them apart
  launch_gaps,         // between operations
  exchange_latency,    // of the exchange's calls
  exchange_bandwidth,  // of its bytes
  exchange,            // those two together, where nothing tells them apart
  waiting,             // for slower ranks
  clock_drop,          // the GPUs' clock below the single one's
  timing_overhead,     // what the events of the phases took: subtracted
  unexplained          // the loss less all other parts, with its sign
};

struct LossPartInfo {
  LossPart part;
  std::string_view key;
  std::string_view title;  // "\n" where a narrow column breaks it
  std::string_view cause;  // in a sentence, the parts of one cause together; "": none
  std::string_view label;  // by itself, in a picture
  std::string_view meaning;
};

inline constexpr std::array loss_parts{
    LossPartInfo{.part = LossPart::gemm_efficiency,
                 .key = "gemm_efficiency",
                 .title = "Smaller\nGEMMs",
                 .cause = "lower GEMM efficiency",
                 .label = "lower GEMM efficiency",
                 .meaning = "GEMMs of fewer rows use a GPU less well"},
    LossPartInfo{.part = LossPart::strategy_overhead,
                 .key = "strategy_overhead",
                 .title = "Strategy\noverhead",
                 .cause = "strategy overhead",
                 .label = "strategy overhead",
                 .meaning = "what the strategy computes beyond single-GPU training"},
    LossPartInfo{
        .part = LossPart::compute,
        .key = "compute",
        .title = "Compute,\nnot split",
        .cause = "compute inefficiency",
        .label = "compute inefficiency",
        .meaning =
            "lower GEMM efficiency and strategy overhead together, where they were not measured apart"},
    LossPartInfo{.part = LossPart::launch_gaps,
                 .key = "launch_gaps",
                 .title = "Launch\ngaps",
                 .cause = "launch gaps",
                 .label = "launch gaps",
                 .meaning = "time between operations"},
    LossPartInfo{.part = LossPart::exchange_latency,
                 .key = "exchange_latency",
                 .title = "Exchange\nlatency",
                 .cause = "communication",
                 .label = "communication: latency",
                 .meaning = "the calls of the communication"},
    LossPartInfo{.part = LossPart::exchange_bandwidth,
                 .key = "exchange_bandwidth",
                 .title = "Exchange\nbandwidth",
                 .cause = "communication",
                 .label = "communication: bandwidth",
                 .meaning = "the bytes of the communication"},
    LossPartInfo{.part = LossPart::exchange,
                 .key = "exchange",
                 .title = "Exchange\nin all",
                 .cause = "communication",
                 .label = "communication",
                 .meaning = "latency and bandwidth together, where no formula divides them"},
    LossPartInfo{.part = LossPart::waiting,
                 .key = "waiting",
                 .title = "Waiting",
                 .cause = "waiting",
                 .label = "waiting",
                 .meaning = "for slower ranks"},
    LossPartInfo{.part = LossPart::clock_drop,
                 .key = "clock_drop",
                 .title = "Clock\ndrop",
                 .cause = "lower clocks",
                 .label = "lower clocks",
                 .meaning = "the GPUs' clock below the single GPU's"},
    LossPartInfo{.part = LossPart::timing_overhead,
                 .key = "timing_overhead",
                 .title = "Timing\noverhead",
                 .cause = "",
                 .label = "timing overhead",
                 .meaning = "what timing the phases took; corrects the other parts, which contain it"},
    LossPartInfo{.part = LossPart::unexplained,
                 .key = "unexplained",
                 .title = "Unexplained",
                 .cause = "unexplained",
                 .label = "unexplained",
                 .meaning = "the loss less all other parts"},
};

constexpr const LossPartInfo& info_of(LossPart part) { return loss_parts[static_cast<std::size_t>(part)]; }

// Of a loss; "exchange" has its latency and its bandwidth.
struct LossCause {
  std::string_view name;
  double seconds;
};

// Seconds of one step. A part that was not measured is NaN. With phases, the measured parts and the
// unexplained one add up to the whole.
struct LossBudget {
  double step = not_measured;
  double ideal = not_measured;
  double whole = not_measured;             // step - ideal
  double whole_half_width = not_measured;  // of its 95 % interval
  // Otherwise from total times alone: launch gaps are part of GEMM efficiency and strategy overhead, and
  // nothing says what the losses of several GPUs are.
  bool by_phases = false;
  // On one GPU at a rank's rows. Otherwise it is the difference in compute.
  bool strategy_overhead_measured = false;
  std::array<double, loss_parts.size()> parts = not_one_measured();

  double& operator[](LossPart part) { return parts[static_cast<std::size_t>(part)]; }
  double operator[](LossPart part) const { return parts[static_cast<std::size_t>(part)]; }
  bool has_parts() const;           // any beside the unexplained one
  bool explains_the_whole() const;  // by phases, and the unexplained part is within the whole's interval
  // The part that is computed as the difference to the others. If that is not the unexplained part, the
  // unexplained part is near zero by construction and proves nothing. Nothing without phases.
  std::optional<LossPart> by_construction() const;
  // Whether its parts are a test of it: the unexplained one is no difference, and the whole has an interval.
  bool is_tested() const {
    return by_construction() == LossPart::unexplained && std::isfinite(whole_half_width);
  }
  bool is_shown() const { return whole > whole_half_width; }  // above its own interval
  // The cause of most of the loss. Nothing if no loss is shown, or without phases.
  std::optional<LossCause> largest_cause() const;

 private:
  static constexpr std::array<double, loss_parts.size()> not_one_measured() {
    std::array<double, loss_parts.size()> parts{};
    parts.fill(not_measured);
    return parts;
  }
};

// `comparison` is the case's with its baseline, `cases` all of the file, `exchange` that of its runs with
// phases. Nothing if the case or its baseline was not measured.
std::optional<LossBudget> loss_budget_of(const MeasuredCase& measured, const Comparison& comparison,
                                         const std::vector<MeasuredCase>& cases,
                                         const std::optional<CaseExchange>& exchange);

}  // namespace breakeven::analysis
