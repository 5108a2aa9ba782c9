// SPDX-License-Identifier: Apache-2.0
// What NVLink is worth: the same launches and cases by NVLink, and without it, where data goes through the
// host's memory. A link only changes between launches, so each launch counts once, by the geometric mean of
// its runs.
#pragma once

#include <optional>
#include <span>

#include "src/analysis/file_analysis.h"

namespace breakeven::report {

// A case with done runs by NVLink, and the same without.
struct CasesByLink {
  const analysis::MeasuredCase* nvlink = nullptr;
  const analysis::MeasuredCase* without = nullptr;
};
std::optional<CasesByLink> cases_by_link(const analysis::CaseResult& line, const analysis::Group& group,
                                         const Results& results);

// Seconds of a step by NVLink / without: of the communication, NaN unless both cases were measured with
// phases; and of the whole step. Bounds by Student's t of the logarithms with the smaller number of launches,
// which are never too narrow.
statistics::RatioEstimate communication_by_link(const CasesByLink& cases);
statistics::RatioEstimate step_by_link(const CasesByLink& cases);

// Bytes a second of the links between the launch's ranks (Link), by NVLink / without; nothing without
// launches of both kinds.
std::optional<statistics::RatioEstimate> bandwidth_by_link(const Results& results);

// Seconds of those phases, and of all that communicate: mean over ranks, summed over steps.
double seconds_of(const RecordedRun& run, std::span<const Phase> phases);
double communication_seconds(const RecordedRun& run);

}  // namespace breakeven::report
