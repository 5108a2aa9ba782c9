// SPDX-License-Identifier: Apache-2.0
// Records: the numbers that ranks measure, and their places in the file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/core/records/results.h"
#include "src/hdf5/contents.h"

namespace breakeven::hdf5 {

// A variable's numbers in the record; empty where the variable is not measured.
std::span<const double> values_of(const RunRecord& record, const Variable& variable);
std::span<double> values_of(RunRecord& record, const Variable& variable);

// Their place in the file: one contiguous piece, because ranks come before steps.
Block block_of(const Variable& variable, hsize_t run, hsize_t rank, hsize_t steps);

// Fills the ranks of runs that have their labels. In the file, the runs begin at `first_run`.
void read_records(const Contents& contents, const Extents& extents, hsize_t first_run,
                  std::span<RecordedRun> runs);

// The stored checksums of `count` runs, by run and rank.
std::vector<std::uint64_t> read_checksums(const Contents& contents, const Extents& extents, hsize_t first_run,
                                          hsize_t count);

}  // namespace breakeven::hdf5
