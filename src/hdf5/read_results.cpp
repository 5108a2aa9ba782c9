// SPDX-License-Identifier: Apache-2.0
// The reader of results files; its counterpart is results_writer.cpp, and docs/results-file.md rules both.
#include "src/hdf5/read_results.h"

#include "src/core/failure.h"
#include "src/hdf5/labels.h"
#include "src/hdf5/records.h"
#include "src/hdf5/serial_file.h"

namespace breakeven {
namespace {

void check_runs(const Results& results, const std::vector<std::uint64_t>& stored, hsize_t ranks) {
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    const RecordedRun& run = results.runs[i];
    const std::string place = results.path + ": run " + std::to_string(i) + " (" + run.label + ")";
    if (!(run.launch < results.launches.size()))
      throw Failure(ExitCode::file, place + " belongs to a launch that is not in the file");
    if (run.status == RunStatus::planned) continue;
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
      if (checksum_of(run.ranks[rank]) != stored[i * ranks + rank])
        throw Failure(ExitCode::file, place + " is damaged: the numbers of rank " + std::to_string(rank) +
                                          " do not have the checksum they were written with");
  }
}

}  // namespace

Results read_results(const std::string& path) {
  const H5File file = open_results(path);
  const Extents extents = read_extents(file.get());
  Results results{path, std::vector<Launch>(extents[Dimension::launch]),
                  std::vector<RecordedRun>(extents[Dimension::run])};
  for (std::size_t i = 0; i < results.launches.size(); ++i) {
    // The labels of all runs come along with the first launch's.
    const std::span<RecordedRun> runs = i == 0 ? std::span(results.runs) : std::span<RecordedRun>();
    read_labels(file.get(), extents, {i, results.launches[i], 0, runs});
  }
  read_records(file.get(), extents, 0, results.runs);
  check_runs(results, read_checksums(file.get(), extents, 0, results.runs.size()), extents[Dimension::rank]);
  note_nccl_settings(results);
  return results;
}

}  // namespace breakeven
