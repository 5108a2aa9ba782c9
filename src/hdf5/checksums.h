// SPDX-License-Identifier: Apache-2.0
// Checksums of a results file (docs/results-file.md). They find damage by accident, not by intent. An empty
// cell (NaN, 0 or "") counts for nothing, so a variable that an older file lacks and places that a later
// launch adds change no checksum.
#pragma once

#include <cstdint>
#include <vector>

#include "src/core/records/run_record.h"
#include "src/hdf5/contents.h"

namespace breakeven::hdf5 {

// Over all numbers of the record, in the order of the table.
std::uint64_t checksum_of(const RunRecord& record);

// Over the labels of each run, without status and stop, which change while a launch writes.
std::vector<std::uint64_t> sums_of_runs(const Contents& labels);

// The checksum of a run in this state.
std::uint64_t with_state(std::uint64_t sum_of_run, std::uint8_t status, std::uint8_t stop);

// Fills in the checksums of labels that are complete. Returns sums_of_runs().
std::vector<std::uint64_t> add_label_checksums(Contents& labels);

// The runs and launches whose labels do not have their checksum. A file without checksums has none.
struct DamagedLabels {
  std::vector<std::size_t> runs;
  std::vector<std::size_t> launches;
};
DamagedLabels find_damaged_labels(const Contents& contents);

// Removes them, and the runs of damaged launches. The other launches are numbered anew.
void take_out(Contents& contents, const DamagedLabels& damaged);

}  // namespace breakeven::hdf5
