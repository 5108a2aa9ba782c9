// SPDX-License-Identifier: Apache-2.0
// What a launch offers, made by hand, and the cases that are planned from it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "src/measure/plan/options.h"
#include "src/measure/plan/plan.h"

namespace breakeven {

inline const std::vector<measure::OfferedPrecision> cuda_precisions{
    {Precision::fp32, {GemmKernel::tuned, GemmKernel::cublas}},
    {Precision::bf16, {GemmKernel::tuned, GemmKernel::tensor_core}}};

inline std::variant<measure::OfferedStrategy, UsageError> offered_strategy(const std::string& strategy) {
  if (strategy == "single") return measure::OfferedStrategy{.exchanges = false};
  if (strategy == "independent") return measure::OfferedStrategy{.exchanges = false, .copies = true};
  if (strategy == "async-server") return measure::OfferedStrategy{.capturable = false};
  if (strategy == "ddp" || strategy == "ddp:buckets=4MB") return measure::OfferedStrategy{};
  if (strategy == "auto") return measure::OfferedStrategy{.chooses = true};
  return UsageError{"no strategy " + strategy};
}

inline measure::Offer cuda_offer(int ranks) {
  return {.ranks = ranks,
          .transports = {{Transport::nccl, true}, {Transport::mpi, false}},
          .precisions = cuda_precisions,
          .strategy = offered_strategy,
          .refusal = [](const Case& what) -> std::string {
            const bool has_buckets = what.strategy.word().find("buckets") != std::string::npos;
            return has_buckets && what.gpus == 3 ? "not on three" : "";
          }};
}

inline measure::Offer choosing_offer(int ranks) {
  measure::Offer offer = cuda_offer(ranks);
  offer.candidates = {"single", "ddp", "ddp:buckets=4MB"};
  return offer;
}

inline std::vector<Case> plan(const measure::Axes& axes, const measure::Offer& offer) {
  const auto planned = measure::plan_cases(axes, offer);
  if (const auto* error = std::get_if<UsageError>(&planned)) {
    ADD_FAILURE() << error->sentence;
    return {};
  }
  return std::get<std::vector<Case>>(planned);
}

inline std::string refusal_of_plan(const measure::Axes& axes, const measure::Offer& offer) {
  const auto planned = measure::plan_cases(axes, offer);
  const auto* error = std::get_if<UsageError>(&planned);
  return error != nullptr ? error->sentence : "";
}

inline measure::Axes small_axes() {
  measure::Axes axes = measure::run_defaults().axes;
  axes[Axis::batch] = {"16"};
  axes[Axis::timing] = {"steps"};
  return axes;
}

}  // namespace breakeven
