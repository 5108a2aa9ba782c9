// SPDX-License-Identifier: Apache-2.0
// A way to train in words.
#pragma once

#include <string>

#include <fmt/format.h>

#include "src/predict/advisor.h"

namespace breakeven {

// "zero1 on 2 GPUs in bf16"
inline std::string name_of_way(const Configuration& way) {
  return fmt::format("{}{} on {} in {}", way.what.strategy, nccl_suffix(way.what),
                     way.what.gpus == 1 ? std::string("one GPU") : fmt::format("{} GPUs", way.what.gpus),
                     way.what.precision);
}

}  // namespace breakeven
