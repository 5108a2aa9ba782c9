// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/schema.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "src/core/failure.h"
#include "src/core/precision.h"

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

Variable Variable::reported(std::vector<StepColumn> as) && {
  for (StepColumn& column : as) column.values = std::get<std::vector<double> RunRecord::*>(source);
  columns = std::move(as);
  return std::move(*this);
}

const std::vector<StepColumn>& step_columns() {
  static const std::vector<StepColumn> all = [] {
    std::vector<StepColumn> list;
    for (const Variable& variable : variables())
      std::ranges::copy(variable.columns, std::back_inserter(list));
    return list;
  }();
  return all;
}

const Variable& variable_named(std::string_view name) {
  for (const Variable& variable : variables())
    if (variable.name == name) return variable;
  throw Failure(ExitCode::file, "the results file's schema has no variable " + std::string(name));
}

const std::vector<Variable>& old_rate_variables() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const PrecisionInfo& info : precisions) all.push_back(std::string(info.name) + "_flops_per_second");
    return all;
  }();
  static const std::vector<Variable> all = [] {
    std::vector<Variable> list;
    for (const std::string& name : names)
      list.push_back({.name = name,
                      .dimensions = {Dimension::launch, Dimension::rank},
                      .units = "1/s",
                      .long_name = "",
                      .source = &Roofline::flops_per_second,
                      .is_addition = true});
    return list;
  }();
  return all;
}

}  // namespace breakeven::hdf5
