// SPDX-License-Identifier: Apache-2.0
// Labels: everything in the file that is known before a run is measured.
#pragma once

#include <span>

#include "src/core/records/results.h"
#include "src/hdf5/contents.h"

namespace breakeven::hdf5 {

// One launch and some of the file's runs, with their places in the file.
template <typename LaunchType, typename RunType>
struct FileSlice {
  hsize_t launch_index;
  LaunchType& launch;
  hsize_t first_run;
  std::span<RunType> runs;
};

// Empty labels of a file with these extents.
Contents make_labels(const Extents& extents);

// Writes the coordinates of the whole file and the labels of the section.
void write_labels(Contents& labels, const Extents& extents,
                  const FileSlice<const Launch, const RecordedRun>& section);

// Also makes room for the launch's ranks and links. Throws Failure(file) where the coordinates are not this
// program's.
void read_labels(const Contents& contents, const Extents& extents,
                 const FileSlice<Launch, RecordedRun>& section);

}  // namespace breakeven::hdf5
