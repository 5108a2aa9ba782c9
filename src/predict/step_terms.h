// SPDX-License-Identifier: Apache-2.0
// What a step's time is made of: seven terms, each in seconds at the measured roofline of the machine. A step
// takes their sum, each times a fitted factor (step_model.h).
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "src/analysis/comparison.h"
#include "src/analysis/exchange_time.h"
#include "src/core/case.h"
#include "src/core/records/message_times.h"
#include "src/core/records/roofline.h"
#include "src/core/strategy/description.h"

namespace breakeven::predict {

enum class StepTerm { start, layers, arithmetic, activations, parameters, latency, bandwidth };
inline constexpr std::size_t step_term_count = 7;

struct StepTermInfo {
  std::string_view name;
  std::string_view meaning;
};
inline constexpr std::array<StepTermInfo, step_term_count> step_terms{{
    {"start", "once a step: a graph's node"},
    {"layers", "a graph's node for each layer and pass"},
    {"arithmetic", "flops of the products at the precision's peak rate"},
    {"activations", "bytes that grow with the rows, at the speed of a copy"},
    {"parameters", "bytes of weights, gradients and moments, at the speed of a copy"},
    {"exchange latency", "calls of the exchange, each as long as the smallest"},
    {"exchange bandwidth", "what their bytes take beyond that"},
}};

using StepTerms = std::array<double, step_term_count>;  // seconds
constexpr std::size_t index_of(StepTerm term) { return static_cast<std::size_t>(term); }
double sum_of(const StepTerms& terms);

// Of the rank whose terms have the largest sum. Nothing if this program does not know the case's strategy, or
// if a rate of the roofline or a message's time was not measured.
std::optional<StepTerms> terms_of_case(const Case& what, const Roofline& roofline, const MessageTimes& times);

// The same with the roofline and the calls of a launch. Nothing if it measured no roofline.
std::optional<StepTerms> terms_of_case(const Case& what, const Launch& launch);

// The same with the exchange's seconds from elsewhere, so that there may be more ranks than were measured.
// Only ranks that differ are evaluated (ranks_that_differ).
using ExchangeClock = std::function<analysis::ExchangeTime(const std::vector<Message>& messages)>;
std::optional<StepTerms> terms_of_case(const Case& what, const Roofline& roofline,
                                       const ExchangeClock& exchange);

// A roofline for files of launches that measured none: the highest rates of any whole step on one GPU, as if
// it had done nothing else (bytes, flops by precision), and the shortest step per layer and pass as the time
// of a node. These rates are lower than the true roofline; the fitted factors correct that on the cases that
// they are fitted to. NaN where no case tells.
Roofline stand_in_roofline(const std::vector<analysis::MeasuredCase>& cases);

}  // namespace breakeven::predict
