// SPDX-License-Identifier: Apache-2.0
#include "src/verify/references.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/failure.h"
#include "src/verify/serial_definition.h"

namespace breakeven::verify {

Case single_device_case(const Case& what) {
  Case single = what;
  single.gpus = 1;
  const float clip_norm = strategy_of_case(what).options.clip_norm;
  single.strategy = clip_norm > 0 ? fmt::format("single:clip={}", clip_norm) : "single";
  single.transport = Transport::none;
  single.graph = false;
  single.data = DataPlacement::resident;
  return single;
}

Case in_fp32(Case what, const Device& device) {
  what.precision = Precision::fp32;
  const std::span<const GemmKernel> kernels = device.gemm_kernels(Precision::fp32);
  if (std::ranges::find(kernels, what.gemm.value()) == kernels.end()) what.gemm = kernels.front();
  return what;
}

Case of_one_copy(Case what, const StrategyChoice& strategy) {
  if (strategy.info->traits.copies) what.gpus = 1;
  return what;
}

References train_references(const Case& what, measure::RunContext& context, const ServedOrder& served) {
  const bool in_fewer_digits = what.precision != Precision::fp32;
  if (served.size() > 1) {
    const Trajectory again = replay_async_server(what, context, served, {});
    return {
        again, again, replay_async_server(what, context, served, {.pieces = 2}),
        in_fewer_digits ? replay_async_server(in_fp32(what, context.device()), context, served, {}) : again};
  }
  const StrategyChoice strategy = strategy_of_case(what);
  const SerialDefinition define = serial_definition_of(strategy);
  if (define == nullptr) {
    throw Failure(ExitCode::wrong_numbers, "strategy '" + what.strategy.word() +
                                               "' is lossy and has no serial definition to compare with");
  }
  const Case one = of_one_copy(what, strategy);
  References references{{}, define(one, context, {}), define(one, context, {.pieces = 2}), {}};
  const bool exact = strategy.info->promise(strategy.options).exact;
  references.expected = exact ? train(single_device_case(what), context) : references.definition;
  references.fp32 =
      in_fewer_digits ? define(in_fp32(one, context.device()), context, {}) : references.definition;
  return references;
}

}  // namespace breakeven::verify
