// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/schema.h"

#include <algorithm>

#include "src/core/failure.h"

namespace breakeven {

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

bool Variable::is_addition() const {
  static constexpr std::array additions{
      &RunRecord::skipped_steps,    &RunRecord::steps_a_launch,           &RunRecord::steps_made,
      &RunRecord::steps_to_quality, &RunRecord::predicted_memory_bytes,   &RunRecord::rows_memory_bytes,
      &RunRecord::eval_seconds,     &RunRecord::start_uncertainty_seconds};
  const auto* number = std::get_if<double RunRecord::*>(&source);
  const auto* series = std::get_if<std::vector<double> RunRecord::*>(&source);
  if (series != nullptr) return *series == &RunRecord::staleness || *series == &RunRecord::start_seconds;
  if (has(Dimension::candidate) || name == "chosen" || name == "candidates" || name == "choosing_seconds")
    return true;
  return std::holds_alternative<StopReason RecordedRun::*>(source) ||
         std::holds_alternative<double Roofline::*>(source) ||
         std::holds_alternative<RateByPrecision Roofline::*>(source) ||
         std::holds_alternative<PrecisionName>(source) ||
         std::holds_alternative<std::vector<double> MessageTimes::*>(source) ||
         std::holds_alternative<TransportName>(source) || std::holds_alternative<GroupRanks>(source) ||
         std::holds_alternative<OperationName>(source) || std::holds_alternative<MessageBytes>(source) ||
         (number != nullptr && std::ranges::find(additions, *number) != additions.end());
}

const Variable& variable_named(std::string_view name) {
  for (const Variable& variable : variables())
    if (variable.name == name) return variable;
  throw Failure(ExitCode::file, "the results file's schema has no variable " + std::string(name));
}

}  // namespace breakeven
