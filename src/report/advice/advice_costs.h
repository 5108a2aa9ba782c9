// SPDX-License-Identifier: Apache-2.0
// Whether the fastest configuration on more GPUs pays against the fastest single GPU, by everything that it
// may be judged by: time, GPU-hours, money, length of the job, energy, the purchase of the machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/predict/job.h"
#include "src/report/format/table.h"

namespace breakeven::report {

// What `advise` was told of prices and of the job.
struct Costs {
  predict::Job job;
  std::optional<predict::Purchase> purchase;  // with the samples of the job
};

// A sentence each.
std::vector<std::string> costs_in_words(const predict::Configuration& one, const predict::Configuration& more,
                                        const predict::Advisor& advisor, const Costs& costs);
// Whether the purchase pays, in a sentence or two; "" where none was asked for.
std::string purchase_in_brief(const predict::Configuration& one, const predict::Configuration& more,
                              const predict::Advisor& advisor, const Costs& costs);
ReportTable tidy_costs(const predict::Configuration& one, const predict::Configuration& more,
                       const predict::Advisor& advisor, const Costs& costs);

}  // namespace breakeven::report
