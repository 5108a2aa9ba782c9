// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/merge_results.h"

#include <cstdio>
#include <filesystem>

#include "src/core/failure.h"
#include "src/hdf5/read_results.h"
#include "src/hdf5/records.h"
#include "src/hdf5/serial_file.h"

namespace breakeven::hdf5 {
namespace {

void write_record(hid_t file, const RunRecord& record, hsize_t run, hsize_t rank) {
  for (const Variable& variable : variables()) {
    if (!variable.is_measured()) continue;
    const Block block = block_of(variable, run, rank, record.steps);
    if (block.cells() > 0) write_cells(file, variable, block, values_of(record, variable));
  }
  const std::uint64_t checksum = checksum_of(record);
  write_cells(file, variable_named("checksum"), {{run, rank}, {1, 1}}, std::span(&checksum, 1));
}

void write_run(hid_t file, const RecordedRun& run, hsize_t place) {
  if (run.status == RunStatus::planned) return;
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
    write_record(file, run.ranks[rank], place, rank);
  }
  const auto status = static_cast<std::uint8_t>(run.status);
  write_cells(file, variable_named("status"), {{place}, {1}}, std::span(&status, 1));
}

void append_launch(const std::string& path, const LaunchPlan& plan) {
  const PreparedFile prepared = prepare_file(path, OpenMode::append, plan);
  H5File file = open_to_write(path);
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    write_run(file.get(), plan.runs[i], prepared.plan.first_run + i);
  }
  H5_CALL(file.close_now(), "closing " + path);
}

}  // namespace

void merge_results(const std::vector<std::string>& from, const std::string& to) {
  if (std::filesystem::exists(to)) throw Failure(ExitCode::file, to + " exists. Choose another --output");
  const std::string unfinished = to + ".merging";
  std::filesystem::remove(unfinished);
  Results all = read_all_results(from);
  for (std::size_t launch = 0; launch < all.launches.size(); ++launch) {
    LaunchPlan plan{std::move(all.launches[launch]), {}};
    for (RecordedRun& run : all.runs) {
      if (run.launch == launch) plan.runs.push_back(std::move(run));
    }
    if (!plan.runs.empty()) append_launch(unfinished, plan);
  }
  flush_to_disk(unfinished);
  if (std::rename(unfinished.c_str(), to.c_str()) != 0)
    throw Failure(ExitCode::file, "renaming " + unfinished + " to " + to);
}

}  // namespace breakeven::hdf5
