// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/checksums.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <string_view>

#include "src/core/fnv1a.h"
#include "src/hdf5/records.h"

namespace breakeven::hdf5 {
namespace {

// A cell's bytes, as in the file; of text a zero behind them.
void add_cell(Fnv1a& hash, const std::string& text) { hash.add(text); }
void add_cell(Fnv1a& hash, double number) { hash.add(std::bit_cast<std::uint64_t>(number)); }
template <typename Number>
void add_cell(Fnv1a& hash, Number number) {
  hash.add(static_cast<std::uint64_t>(number), sizeof number);
}

bool is_empty(const std::string& text) { return text.empty(); }
bool is_empty(double number) {
  return std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(not_measured);
}
template <typename Number>
bool is_empty(Number number) {
  return number == 0;
}

// The places of cell number `cell` along all dimensions but the first, as their coordinates label them.
void add_places(Fnv1a& hash, const Contents& labels, const Variable& variable, std::size_t cell) {
  const std::vector<hsize_t>& shape = labels.at(variable).shape;
  std::size_t cells = 1;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) cells *= shape[axis];
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    cells /= shape[axis];
    const auto dimension = static_cast<std::size_t>(variable.dimensions[axis]);
    const std::size_t place = cell / cells % shape[axis];
    std::visit([&](const auto& column) { add_cell(hash, column[place]); },
               labels.at(variable_named(dimension_names[dimension])).column);
  }
}

// The cells of one run or launch in a variable.
void add_variable(Fnv1a& hash, const Contents& labels, const Variable& variable, std::size_t owner) {
  std::visit(
      [&](const auto& column) {
        const std::size_t cells = column.size() / labels.at(variable).shape[0];
        bool is_named = false;
        for (std::size_t cell = 0; cell < cells; ++cell) {
          const auto& value = column[owner * cells + cell];
          if (is_empty(value)) continue;
          if (!is_named) hash.add(variable.name);
          is_named = true;
          add_places(hash, labels, variable, cell);
          add_cell(hash, value);
        }
      },
      labels.at(variable).column);
}

std::vector<std::uint64_t> sums_along(const Contents& labels, Dimension dimension) {
  std::vector<const Variable*> summed;
  for (const Variable& variable : variables()) {
    const bool is_state = variable.name == "status" || variable.name == "stop" || variable.name == "launch";
    if (variable.dimensions[0] == dimension && !variable.is_measured() && !variable.is_checksum() &&
        !is_state && labels.has(variable))
      summed.push_back(&variable);
  }
  const auto name = dimension_names[static_cast<std::size_t>(dimension)];
  std::vector<std::uint64_t> sums(labels.at(variable_named(name)).shape[0]);
  for (std::size_t owner = 0; owner < sums.size(); ++owner) {
    Fnv1a hash;
    for (const Variable* variable : summed) add_variable(hash, labels, *variable, owner);
    sums[owner] = hash.value();
  }
  return sums;
}

// 0 in older files, which have no `stop`.
std::uint8_t state_cell(const Contents& labels, const char* name, std::size_t run) {
  const Variable& variable = variable_named(name);
  return labels.has(variable) ? column_of<std::uint8_t>(labels, variable)[run] : std::uint8_t{0};
}

std::vector<std::uint64_t> checksums_of_runs(const Contents& labels, const std::vector<std::uint64_t>& sums) {
  std::vector<std::uint64_t> checksums;
  for (std::size_t run = 0; run < sums.size(); ++run)
    checksums.push_back(
        with_state(sums[run], state_cell(labels, "status", run), state_cell(labels, "stop", run)));
  return checksums;
}

// Keeps the cells of some runs or launches in all variables along the dimension.
void keep(Contents& contents, Dimension dimension, const std::vector<bool>& kept) {
  if (kept.empty()) return;
  for (const Variable& variable : variables()) {
    if (variable.dimensions[0] != dimension || !contents.has(variable)) continue;
    StoredVariable& stored = contents.at(variable);
    std::visit(
        [&](auto& column) {
          const std::size_t cells = column.size() / kept.size();
          std::size_t end = 0;
          for (std::size_t owner = 0; owner < kept.size(); ++owner) {
            if (!kept[owner]) continue;
            const auto first = column.begin() + owner * cells;
            if (end != owner * cells) std::move(first, first + cells, column.begin() + end);
            end += cells;
          }
          column.resize(end);
        },
        stored.column);
    stored.shape[0] = static_cast<hsize_t>(std::ranges::count(kept, true));
  }
}

}  // namespace

std::uint64_t checksum_of(const RunRecord& record) {
  Fnv1a hash;
  for (const Variable& variable : variables())
    for (const double value : values_of(record, variable)) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      // Then the checksum equals that of an older file without the variable.
      if (variable.is_addition && bits == std::bit_cast<std::uint64_t>(not_measured)) continue;
      hash.add(bits);
    }
  return hash.value();
}

std::vector<std::uint64_t> sums_of_runs(const Contents& labels) { return sums_along(labels, Dimension::run); }

std::uint64_t with_state(std::uint64_t sum_of_run, std::uint8_t status, std::uint8_t stop) {
  Fnv1a hash(sum_of_run);
  hash.add_word(status);
  hash.add_word(stop);
  return hash.value();
}

std::vector<std::uint64_t> add_label_checksums(Contents& labels) {
  const std::vector<std::uint64_t> sums = sums_of_runs(labels);
  const std::vector<std::uint64_t> runs = checksums_of_runs(labels, sums);
  for (const char* name : {"label_checksum", "label_checksum_next"})
    labels.at(variable_named(name)).column = runs;
  labels.at(variable_named("launch_checksum")).column = sums_along(labels, Dimension::launch);
  return sums;
}

DamagedLabels find_damaged_labels(const Contents& contents) {
  DamagedLabels damaged;
  const Variable& of_launch = variable_named("launch_checksum");
  if (contents.has(of_launch)) {
    const std::vector<std::uint64_t>& stored = column_of<std::uint64_t>(contents, of_launch);
    const std::vector<std::uint64_t> found = sums_along(contents, Dimension::launch);
    for (std::size_t launch = 0; launch < found.size(); ++launch)
      if (stored[launch] != found[launch]) damaged.launches.push_back(launch);
  }
  const Variable& of_run = variable_named("label_checksum");
  if (!contents.has(of_run)) return damaged;
  const auto& stored = column_of<std::uint64_t>(contents, of_run);
  const auto& next = column_of<std::uint64_t>(contents, variable_named("label_checksum_next"));
  const std::vector<std::uint64_t> found = checksums_of_runs(contents, sums_of_runs(contents));
  for (std::size_t run = 0; run < found.size(); ++run)
    if (found[run] != stored[run] && found[run] != next[run]) damaged.runs.push_back(run);
  return damaged;
}

void take_out(Contents& contents, const DamagedLabels& damaged) {
  if (damaged.runs.empty() && damaged.launches.empty()) return;
  std::vector<bool> launches(contents.at(variable_named("launch")).shape[0], true);
  for (const std::size_t launch : damaged.launches) launches[launch] = false;
  std::vector<std::uint32_t> numbers;
  for (std::size_t launch = 0; launch < launches.size(); ++launch)
    numbers.push_back(
        static_cast<std::uint32_t>(std::count(launches.begin(), launches.begin() + launch, true)));

  auto& of_runs = std::get<std::vector<std::uint32_t>>(contents.at(variable_named("launch_index")).column);
  std::vector<bool> runs(of_runs.size(), true);
  for (const std::size_t run : damaged.runs) runs[run] = false;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    runs[run] = runs[run] && of_runs[run] < launches.size() && launches[of_runs[run]];
    if (runs[run]) of_runs[run] = numbers[of_runs[run]];
  }
  keep(contents, Dimension::run, runs);
  keep(contents, Dimension::launch, launches);
  auto& coordinate = std::get<std::vector<std::int32_t>>(contents.at(variable_named("launch")).column);
  std::iota(coordinate.begin(), coordinate.end(), 0);
}

}  // namespace breakeven::hdf5
