// SPDX-License-Identifier: Apache-2.0
#include "src/report/roofline_json.h"

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "src/report/columns.h"

namespace breakeven {

DeclaredColumns roofline_columns() {
  DeclaredColumns columns{datum("copy_bytes_per_second", "bytes/s", "plain copy, read and written")};
  for (const PrecisionInfo& info : precisions)
    columns.push_back(datum(std::string(info.name) + "_flops_per_second", "1/s", "fastest large product"));
  columns.push_back(datum("launch_seconds", "s", "a tiny operation, launched by itself"));
  columns.push_back(datum("node_seconds", "s", "the same within a graph"));
  return columns;
}

nlohmann::ordered_json roofline_as_json(const Roofline& roofline) {
  nlohmann::ordered_json object;
  const auto add = [&](const std::string& name, double value) {
    object[name] = std::isfinite(value) ? nlohmann::ordered_json(value) : nullptr;
  };
  add("copy_bytes_per_second", roofline.copy_bytes_per_second);
  for (const PrecisionInfo& info : precisions) {
    add(std::string(info.name) + "_flops_per_second", roofline.flops(info.precision));
  }
  add("launch_seconds", roofline.launch_seconds);
  add("node_seconds", roofline.node_seconds);
  return object;
}

}  // namespace breakeven
