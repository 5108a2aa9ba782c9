// SPDX-License-Identifier: Apache-2.0
// One run's steps and phases on all ranks, on one clock: Chrome's trace event format ("Trace Event Format",
// Google, 2016), which Perfetto opens. docs/trace.md says what is drawn where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "src/core/records/node_record.h"
#include "src/core/records/results.h"

namespace breakeven::report {

// Why there is no trace of the run, as a sentence; "" where there is one.
std::string untraceable(const Results& results, std::size_t run);

// Steps that every rank has made. The run must be finished.
std::uint32_t traceable_steps(const RecordedRun& run);

// A JSON object, one event a line. `run` is an index into the results for which untraceable() returns ""; the
// steps [first, end) must be traceable. `kernels`: by rank, on the launch's clock, drawn in rows below the
// ranks; or empty.
std::string run_trace(const Results& results, std::size_t run, std::uint32_t first, std::uint32_t end,
                      std::span<const NodeRecording> kernels = {});

}  // namespace breakeven::report
