// SPDX-License-Identifier: Apache-2.0
// Cases of several machines that can be held against each other: the same model and batch, or the same
// quality.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "src/report/machines/machine_differences.h"

namespace breakeven::report {

// Smaller models first, as the first machine has them.
std::vector<std::string> common_models(const std::vector<NamedMachine>& machines);

// The largest batch of the model that every machine measured; nothing where there is none.
std::optional<std::uint32_t> common_batch(const std::string& model,
                                          const std::vector<NamedMachine>& machines);

// The transports over which every machine measured the model at the batch, on more than one GPU.
std::set<std::string> common_transports(const std::string& model, std::uint32_t batch,
                                        const std::vector<NamedMachine>& machines);

// A finished case that trains one model, and the quantity that it is judged by.
struct JudgedCase {
  const NamedMachine* machine = nullptr;
  const analysis::CaseResult* result = nullptr;
  statistics::Interval quantity;

  const Case& what() const { return result->measured->what; }
  const analysis::CaseSummary& timed() const { return result->measured->timed(); }
  const analysis::SampleCosts& costs() const { return machine->file->result_of(timed()).costs; }
};
using Quantity = std::function<statistics::Interval(const JudgedCase&)>;

// The machine's case of a model with the least of a quantity: at one batch, among those that compute what one
// GPU computes; or (nothing) at any batch among all, for a quantity that judges what they learn.
std::optional<JudgedCase> least_of(const NamedMachine& machine, const std::string& model,
                                   std::optional<std::uint32_t> batch, const Quantity& quantity);

// Seconds of a sample; money of a million samples, NaN without a price.
statistics::Interval seconds_a_sample(const JudgedCase& one);
statistics::Interval money_a_million(const JudgedCase& one);

// Until the quality of --until; NaN where a run did not reach it.
statistics::Interval seconds_to_quality(const JudgedCase& one);
statistics::Interval money_to_quality(const JudgedCase& one);
statistics::Interval joules_to_quality(const JudgedCase& one);

}  // namespace breakeven::report
