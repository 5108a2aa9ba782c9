// SPDX-License-Identifier: Apache-2.0
#include "src/ceilings/ceilings_json.h"

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

namespace breakeven {

nlohmann::ordered_json ceilings_as_json(const Ceilings& ceilings) {
  nlohmann::ordered_json object;
  const auto add = [&](const std::string& name, double value) {
    object[name] = std::isfinite(value) ? nlohmann::ordered_json(value) : nullptr;
  };
  add("copy_bytes_per_second", ceilings.copy_bytes_per_second);
  for (const PrecisionInfo& info : precisions) {
    add(std::string(info.name) + "_flops_per_second", ceilings.*flops_ceiling_of(info.precision));
  }
  add("launch_seconds", ceilings.launch_seconds);
  add("node_seconds", ceilings.node_seconds);
  return object;
}

}  // namespace breakeven
