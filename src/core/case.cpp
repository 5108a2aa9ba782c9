// SPDX-License-Identifier: Apache-2.0
#include "src/core/case.h"

#include <fmt/format.h>

namespace breakeven {

std::string words_of_strategy(const Case& what) {
  return what.chosen.empty() ? what.strategy.word() : fmt::format("{} ({})", what.strategy, what.chosen);
}

std::string label_of(const Case& what) {
  return fmt::format("{} b{} {}x {} {} {} {}{}{}{} {}", what.model, what.batch, what.gpus, what.strategy,
                     what.precision, what.gemm, what.transport, what.graph ? " graph" : "",
                     what.scaling == Scaling::weak ? " weak" : "",
                     what.data == DataPlacement::streamed ? " streamed" : "", what.timing);
}

std::string nccl_suffix(const Case& what) { return what.nccl.empty() ? "" : ", " + what.nccl; }

std::string unusual_transport(const Case& what) {
  return traits_of(what.transport).is_usual ? "" : fmt::format(", {}", what.transport);
}

std::string exchange_suffix(const Case& what) { return unusual_transport(what) + nccl_suffix(what); }

}  // namespace breakeven
