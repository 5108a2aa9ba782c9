// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/records.h"

#include <algorithm>
#include <string>
#include <type_traits>

#include "src/core/failure.h"

namespace breakeven::hdf5 {
namespace {

// Double or const double, as the record is.
template <typename Record>
auto find_values(Record& record, const Variable& variable) {
  using Value = std::conditional_t<std::is_const_v<Record>, const double, double>;
  return std::visit(
      [&]<typename Source>(Source source) -> std::span<Value> {
        if constexpr (std::is_same_v<Source, std::vector<double> RunRecord::*>)
          return record.*source;
        else if constexpr (std::is_same_v<Source, double RunRecord::*>)
          return {&(record.*source), 1};
        else if constexpr (std::is_same_v<Source, double Telemetry::*>)
          return {&(record.telemetry.*source), 1};
        else
          return {};
      },
      variable.source);
}

// The first `runs` runs from first_run on, all ranks, steps and phases.
Block block_of_runs(const Variable& variable, const Extents& extents, hsize_t first_run, hsize_t runs) {
  Extents start;
  Extents count = extents;
  start[Dimension::run] = first_run;
  count[Dimension::run] = runs;
  return {shape_of(variable, start), shape_of(variable, count)};
}

void make_room(RecordedRun& run, const Extents& extents) {
  const int gpus = run.planned.what.gpus;
  if (!(gpus >= 1 && static_cast<hsize_t>(gpus) <= extents[Dimension::rank] &&
        run.steps <= extents[Dimension::step]))
    throw Failure(ExitCode::file, "run \"" + run.label + "\" claims " + std::to_string(gpus) + " ranks and " +
                                      std::to_string(run.steps) +
                                      " steps, and the file has places for 1 to " +
                                      std::to_string(extents[Dimension::rank]) + " ranks and " +
                                      std::to_string(extents[Dimension::step]) + " steps");
  run.ranks.assign(static_cast<std::size_t>(gpus), RunRecord(run.steps));
}

}  // namespace

std::span<const double> values_of(const RunRecord& record, const Variable& variable) {
  return find_values(record, variable);
}

std::span<double> values_of(RunRecord& record, const Variable& variable) {
  return find_values(record, variable);
}

Block block_of(const Variable& variable, hsize_t run, hsize_t rank, hsize_t steps) {
  Extents start;
  start[Dimension::run] = run;
  start[Dimension::rank] = rank;
  Extents count;
  count.places.fill(1);
  count[Dimension::step] = steps;
  count[Dimension::phase] = phase_count;
  return {shape_of(variable, start), shape_of(variable, count)};
}

void read_records(const Contents& contents, const Extents& extents, hsize_t first_run,
                  std::span<RecordedRun> runs) {
  if (runs.empty()) return;
  for (RecordedRun& run : runs) make_room(run, extents);
  for (const Variable& variable : variables()) {
    if (!variable.is_measured() || (variable.is_addition && !contents.has(variable))) continue;
    const std::vector<double>& cells = column_of<double>(contents, variable);
    const std::size_t cells_a_rank = cells.size() / (extents[Dimension::run] * extents[Dimension::rank]);
    for (std::size_t run = 0; run < runs.size(); ++run)
      for (std::size_t rank = 0; rank < runs[run].ranks.size(); ++rank) {
        const auto first =
            cells.begin() + ((first_run + run) * extents[Dimension::rank] + rank) * cells_a_rank;
        const std::span<double> values = values_of(runs[run].ranks[rank], variable);
        std::copy_n(first, values.size(), values.begin());
      }
  }
}

std::vector<std::uint64_t> read_checksums(const Contents& contents, const Extents& extents, hsize_t first_run,
                                          hsize_t count) {
  if (count == 0) return {};
  const Variable& variable = variable_named("checksum");
  return read_cells<std::uint64_t>(contents, variable, block_of_runs(variable, extents, first_run, count));
}

}  // namespace breakeven::hdf5
