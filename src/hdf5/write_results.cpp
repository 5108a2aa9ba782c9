// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/write_results.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>

#include "src/hdf5/checksums.h"
#include "src/hdf5/labels.h"
#include "src/hdf5/records.h"

namespace breakeven::hdf5 {
namespace {

std::string names_of_labels() {
  std::string labels;
  for (const Variable& variable : variables())
    if (!variable.is_coordinate() && !variable.is_measured()) labels.append(variable.name).append(" ");
  labels.pop_back();
  return labels;
}

H5File create_empty(const std::string& path) {
  const H5Properties properties(H5_CALL(H5Pcreate(H5P_FILE_CREATE), path));
  constexpr unsigned in_order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  H5_CALL(H5Pset_link_creation_order(properties.get(), in_order), path);
  H5_CALL(H5Pset_attr_creation_order(properties.get(), in_order), path);
  H5File file(
      H5_CALL(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties.get(), H5P_DEFAULT), "creating " + path));
  write_attribute(file.get(), "Conventions", format_name);
  write_attribute(file.get(), "title", "breakeven: training steps, measured phase by phase on every rank");
  write_attribute(file.get(), "coordinates", names_of_labels());
  return file;
}

Contents labels_of(const Extents& extents, const std::vector<Launch>& launches,
                   const std::vector<RecordedRun>& runs) {
  Contents labels = make_labels(extents);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    // The labels of all runs go along with the first launch's.
    const std::span<const RecordedRun> its = i == 0 ? std::span(runs) : std::span<const RecordedRun>();
    write_labels(labels, extents, {i, launches[i], 0, its});
  }
  return labels;
}

void write_column(hid_t file, const Variable& variable, const StoredVariable& stored) {
  const Block whole{std::vector<hsize_t>(stored.shape.size()), stored.shape};
  if (whole.cells() == 0) return;
  std::visit(
      [&]<typename Cell>(const std::vector<Cell>& column) {
        write_cells<Cell>(file, variable, whole, std::span<const Cell>(column));
      },
      stored.column);
}

// Writes all runs at once, since opening a variable takes longer than writing a run into it.
void write_measured(hid_t file, const Variable& variable, const std::vector<RecordedRun>& runs) {
  const H5Dataset dataset = open_variable(file, variable);
  for (std::size_t place = 0; place < runs.size(); ++place) {
    const RecordedRun& run = runs[place];
    if (run.status == RunStatus::planned) continue;
    std::vector<double> cells;
    for (const RunRecord& record : run.ranks) {
      const std::span<const double> values = values_of(record, variable);
      cells.insert(cells.end(), values.begin(), values.end());
    }
    Block block = block_of(variable, place, 0, run.steps);
    block.count[1] = run.ranks.size();
    if (!cells.empty()) write_into(dataset.get(), variable, block, memory_type<double>(), cells.data());
  }
}

void write_checksums(hid_t file, const std::vector<RecordedRun>& runs) {
  for (std::size_t place = 0; place < runs.size(); ++place) {
    if (runs[place].status == RunStatus::planned) continue;
    std::vector<std::uint64_t> checksums;
    for (const RunRecord& record : runs[place].ranks) checksums.push_back(checksum_of(record));
    write_cells<std::uint64_t>(file, variable_named("checksum"), {{place, 0}, {1, checksums.size()}},
                               checksums);
  }
}

}  // namespace

Extents extents_for(const std::vector<Launch>& launches, const std::vector<RecordedRun>& runs) {
  Extents extents;
  const auto grow = [&](Dimension dimension, hsize_t places) {
    extents[dimension] = std::max(extents[dimension], places);
  };
  grow(Dimension::launch, launches.size());
  grow(Dimension::run, runs.size());
  grow(Dimension::phase, phase_count);
  grow(Dimension::transport, probed_transports.size());
  grow(Dimension::operation, probed_kinds);
  grow(Dimension::message, message_sizes);
  grow(Dimension::product_precision, precisions.size());
  for (const Launch& launch : launches) {
    grow(Dimension::rank, launch.topology.ranks.size());
    grow(Dimension::peer, launch.topology.ranks.size());
    grow(Dimension::group, launch.message_times.groups());
  }
  for (const RecordedRun& run : runs) {
    grow(Dimension::step, run.steps);
    grow(Dimension::candidate, run.candidates.size());
  }
  return extents;
}

std::vector<std::uint64_t> write_results(const std::string& path, const std::vector<Launch>& launches,
                                         const std::vector<RecordedRun>& runs) {
  silence_h5();
  const Extents extents = extents_for(launches, runs);
  Contents labels = labels_of(extents, launches, runs);
  std::vector<std::uint64_t> sums = add_label_checksums(labels);
  H5File file = create_empty(path);
  create_variables(file.get(), extents);
  for (const Variable& variable : variables()) {
    if (labels.has(variable)) write_column(file.get(), variable, labels.at(variable));
    if (variable.is_measured()) write_measured(file.get(), variable, runs);
  }
  write_checksums(file.get(), runs);
  H5_CALL(file.close_now(), "closing " + path);
  return sums;
}

void fail_writing(const std::string& path, const H5Failure& failure) {
  const auto says = [&](int error) {
    return failure.cause().find(std::strerror(error)) != std::string::npos;
  };
  if (says(ENOSPC))
    throw Failure(ExitCode::file, "the disk of " + path + " is full (No space left on device)");
  if (says(EFBIG))
    throw Failure(ExitCode::file,
                  path + " exceeds the limit on the size of files, ulimit -f (File too large)");
  const std::string& cause = failure.cause();
  constexpr std::string_view before = "error message = '";
  const std::size_t found = cause.find(before);
  const std::size_t first = found == std::string::npos ? 0 : found + before.size();
  throw Failure(ExitCode::file,
                path + " cannot be written: " + cause.substr(first, cause.find('\'', first) - first));
}

}  // namespace breakeven::hdf5
