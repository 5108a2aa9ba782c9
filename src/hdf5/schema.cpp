// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/schema.h"

#include <algorithm>

#include "src/core/failure.h"

namespace breakeven::hdf5 {

bool Variable::has(Dimension dimension) const {
  return std::find(dimensions.begin(), dimensions.end(), dimension) != dimensions.end();
}

bool Variable::is_coordinate() const {
  return dimensions.size() == 1 && name == dimension_names[static_cast<std::size_t>(dimensions[0])];
}

bool Variable::is_measured() const {
  return std::holds_alternative<std::vector<double> RunRecord::*>(source) ||
         std::holds_alternative<double RunRecord::*>(source) ||
         std::holds_alternative<double Telemetry::*>(source);
}

bool Variable::is_checksum() const {
  return std::holds_alternative<RecordChecksum>(source) || std::holds_alternative<LabelChecksum>(source);
}

const Variable& variable_named(std::string_view name) {
  for (const Variable& variable : variables())
    if (variable.name == name) return variable;
  throw Failure(ExitCode::file, "the results file's schema has no variable " + std::string(name));
}

}  // namespace breakeven::hdf5
