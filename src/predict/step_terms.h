// SPDX-License-Identifier: Apache-2.0
// What a step's time is made of: seven terms, each the seconds that it would take at what the machine was
// seen to do at best. A step takes a sum of them, each times a factor that is fitted (step_model.h).
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "src/analysis/exchange_time.h"
#include "src/core/case.h"
#include "src/core/records/message_times.h"
#include "src/core/records/roofline.h"
#include "src/core/strategy/description.h"

namespace breakeven {

enum class StepTerm { start, layers, arithmetic, activations, parameters, latency, bandwidth };
inline constexpr std::size_t step_term_count = 7;

struct StepTermInfo {
  std::string_view name;
  std::string_view meaning;
};
inline constexpr std::array<StepTermInfo, step_term_count> step_terms{{
    {"start", "once a step: a graph's node"},
    {"layers", "a graph's node for each layer and pass"},
    {"arithmetic", "flops of the products at the precision's ceiling"},
    {"activations", "bytes that grow with the rows, at the speed of a copy"},
    {"parameters", "bytes of weights, gradients and moments, at the speed of a copy"},
    {"exchange latency", "calls of the exchange, each as long as the smallest"},
    {"exchange bandwidth", "what their bytes take beyond that"},
}};

using StepTerms = std::array<double, step_term_count>;  // seconds
constexpr std::size_t index_of(StepTerm term) { return static_cast<std::size_t>(term); }
double sum_of(const StepTerms& terms);

// Of a rank's work in a step; the exchange's two are 0.
StepTerms terms_of_work(const RankWork& work, Precision precision, const Roofline& roofline);

// Of the rank whose terms add up to most. Nothing where this program does not know the case's words, or a
// ceiling or a message's time is not measured.
std::optional<StepTerms> terms_of_case(const Case& what, const Roofline& roofline, const MessageTimes& times);

// The same with the exchange's seconds from elsewhere, so that there may be more ranks than were measured. Of
// many ranks not all are asked: a mesh repeats itself.
using ExchangeClock = std::function<analysis::ExchangeTime(const std::vector<Message>& messages)>;
std::optional<StepTerms> terms_of_case(const Case& what, const Roofline& roofline,
                                       const ExchangeClock& exchange);

}  // namespace breakeven
