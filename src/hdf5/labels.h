// SPDX-License-Identifier: Apache-2.0
// Labels: everything in the file that is known before a run is measured. One process writes and reads them.
#pragma once

#include <span>

#include "src/core/records/results.h"
#include "src/hdf5/cells.h"
#include "src/hdf5/layout.h"

namespace breakeven::hdf5 {

// One launch and some of the file's runs, with their places in the file.
template <typename LaunchType, typename RunType>
struct FileSlice {
  hsize_t launch_index;
  LaunchType& launch;
  hsize_t first_run;
  std::span<RunType> runs;
};

// Writes the coordinates of the whole file and the labels of the section.
void write_labels(hid_t file, const Extents& extents,
                  const FileSlice<const Launch, const RecordedRun>& section);

// Also makes room for the launch's ranks and links.
void read_labels(hid_t file, const Extents& extents, const FileSlice<Launch, RecordedRun>& section);

}  // namespace breakeven::hdf5
