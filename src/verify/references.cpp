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

namespace {

Case in_fp32(Case what, const Device& device) {
  what.precision = Precision::fp32;
  const std::span<const GemmKernel> kernels = device.gemm_kernels(Precision::fp32);
  if (std::ranges::find(kernels, what.gemm.value()) == kernels.end()) what.gemm = kernels.front();
  return what;
}

// The order if every read had missed the updates that the other ranks were making at that time, one each.
ServedOrder with_earliest_reads(ServedOrder order) {
  const std::uint64_t others = order.size() - 1;
  for (std::vector<strategy::ServedUpdate>& updates : order) {
    std::uint64_t own = 0;  // updates so far, up to the rank's own last one
    for (strategy::ServedUpdate& update : updates) {
      update.pulled = std::max(own, update.pulled - std::min(update.pulled, others));
      own = update.pushed + 1;
    }
  }
  return order;
}

}  // namespace

Case of_one_copy(Case what, const StrategyChoice& strategy) {
  if (strategy.info->traits.copies) what.gpus = 1;
  return what;
}

References train_references(const Case& what, measure::RunContext& context, const ServedOrder& served) {
  if (served.size() > 1) {
    const Trajectory again = replay_async_server(what, context, served);
    return {again, again, replay_async_server(what, context, with_earliest_reads(served)), again};
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
  references.fp32 = what.precision == Precision::fp32 ? references.definition
                                                      : define(in_fp32(one, context.device()), context, {});
  return references;
}

}  // namespace breakeven::verify
