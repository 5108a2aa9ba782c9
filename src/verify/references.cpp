// SPDX-License-Identifier: Apache-2.0
#include "src/verify/references.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/failure.h"
#include "src/verify/serial_definition.h"

namespace breakeven {

Case single_device_case(const Case& what) {
  Case single = what;
  single.gpus = 1;
  const float clip_norm = strategy_of_case(what).options.clip_norm;
  single.strategy = clip_norm > 0 ? fmt::format("single:clip={}", clip_norm) : "single";
  single.collective = "none";
  single.graph = false;
  single.data = "resident";
  return single;
}

namespace {

Case in_fp32(Case what, const Device& device) {
  what.precision = "fp32";
  const std::span<const GemmKernel> kernels = device.gemm_kernels(Precision::fp32);
  if (std::ranges::find(kernels, *find_gemm_kernel(what.gemm)) == kernels.end())
    what.gemm = name_of(kernels.front());
  return what;
}

// Each of several copies is what one GPU does.
Case of_one_copy(Case what, const StrategyChoice& strategy) {
  if (strategy.info->traits.copies) what.gpus = 1;
  return what;
}

// The definition with its sums made in other orders: every rank's gradient from two parts, and where the
// model is split, so that each product's inputs are added up otherwise, by every other kernel too. How far a
// rounding takes training has a long tail (a unit at ReLU's kink), which one sample would often miss.
std::vector<Trajectory> other_orders(const Case& one, const StrategyChoice& strategy, SerialDefinition define,
                                     Workbench& bench) {
  std::vector<Trajectory> trajectories{define(one, bench, 2)};
  if (!strategy.info->traits.splits_model) return trajectories;
  Case other = one;
  for (const GemmKernel kernel : bench.device().gemm_kernels(find_precision(one.precision)->precision)) {
    other.gemm = name_of(kernel);
    if (other.gemm != one.gemm) trajectories.push_back(define(other, bench, 1));
  }
  return trajectories;
}

}  // namespace

References train_references(const Case& what, Workbench& bench) {
  const StrategyChoice strategy = strategy_of_case(what);
  const SerialDefinition define = serial_definition_of(strategy);
  if (define == nullptr) {
    throw Failure(ExitCode::wrong_numbers, "strategy '" + what.strategy +
                                               "' is lossy and has no serial definition to be held against");
  }
  const Case one = of_one_copy(what, strategy);
  References references{{}, define(one, bench, 1), other_orders(one, strategy, define, bench), {}};
  const bool exact = strategy.info->promise(strategy.options).exact;
  references.expected = exact ? train(single_device_case(what), bench) : references.definition;
  references.fp32 =
      what.precision == "fp32" ? references.definition : define(in_fp32(one, bench.device()), bench, 1);
  return references;
}

}  // namespace breakeven
