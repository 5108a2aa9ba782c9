// SPDX-License-Identifier: Apache-2.0
// A measured case's communication by formula, beside what its phases say; and the idle time of a pipeline.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/analysis/case_summary.h"
#include "src/analysis/exchange_time.h"
#include "src/core/case.h"

namespace breakeven::analysis {

// Means over the ranks and, of `formula`, over the runs done, each by its own launch's measurement.
struct CaseExchange {
  MeanTraffic traffic;
  ExchangeTime formula;
  bool has_root = false;           // one rank collects, and the others wait for its result
  double measured = not_measured;  // exchange and broadcast, without wait; NaN without runs of `phases`
  double ratio() const { return measured / formula.seconds(); }
};

// Nothing for a case that exchanges nothing, or whose strategy this program does not know.
std::optional<CaseExchange> exchange_of(const CaseSummary& summary, const Results& results);

// Known causes of the difference between measured and formula, a few words each (docs/report.md). If none is
// known and the difference is large, "unexplained".
std::vector<std::string> known_differences(const CaseSummary& summary, const CaseExchange& exchange,
                                           const Results& results);

struct Pipeline {
  std::uint32_t stages = 1;
  std::uint32_t micro_batches = 1;

  // The idle share of each of S stages that take the same time: S - 1 of M + S - 1 turns, by `gpipe` and by
  // `1f1b` (Huang et al., "GPipe", NeurIPS 2019, section 2.3; Narayanan et al., SC 2021,
  // section 2.2, whose fraction is of the ideal step instead).
  double bubble() const { return (stages - 1.0) / (micro_batches + stages - 1.0); }
};

// Of `pipeline`, and of `hybrid` if it splits by pipeline; nothing for other cases.
std::optional<Pipeline> pipeline_of_case(const Case& what);

// The share of their step that ranks spend in exchange and wait: the bubble, the messages, and the
// differences between stages. NaN without phases.
struct IdleShare {
  double mean = not_measured;
  double least = not_measured;  // of the busiest stage
  double most = not_measured;
};
IdleShare idle_share(const CaseSummary& phases);

// The mean idle share of stages that are busy for `busy` seconds of a step and take `messages` more for their
// messages, none of them hidden: the first micro-batch goes through all stages one after another, the
// others follow behind the slowest, so a step takes (sum + (M - 1) longest) / M. With equal stages and no
// messages it is the bubble.
double idle_of_stages(const Pipeline& pipeline, std::span<const double> busy,
                      std::span<const double> messages);

// Of a measured case, with its ranks' busy time: their step without exchange and wait. NaN without phases;
// with messages, also without a measurement of them.
struct ExpectedIdle {
  double by_stages = not_measured;
  double by_stages_and_messages = not_measured;
};

// All of these of one case.
struct PipelineIdle {
  Pipeline pipeline;
  IdleShare measured;
  ExpectedIdle expected;
};
std::optional<PipelineIdle> pipeline_idle_of(const CaseSummary& summary, const Results& results);

}  // namespace breakeven::analysis
