// SPDX-License-Identifier: Apache-2.0
// Writes a launch's runs into a results file, all ranks together.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "mpi/session.h"
#include "src/core/records/results.h"
#include "src/hdf5/launch_plan.h"

namespace breakeven::hdf5 {

// Rank 0 creates or extends the whole file alone, with every label and NaN for every number, and closes it.
// Then all ranks open it and write numbers only. So a kill at any moment leaves a file that opens and holds
// every finished run. Every member is collective over the session's world and throws Failure.
class ResultsWriter {
 public:
  ResultsWriter(const Session& session, const std::string& path, OpenMode mode, const LaunchPlan& plan);
  ~ResultsWriter();
  ResultsWriter(const ResultsWriter&) = delete;  // a parallel file has one owner a rank
  ResultsWriter& operator=(const ResultsWriter&) = delete;

  // Whether the run still has to be measured. All runs do, unless the launch resumes an earlier one.
  bool is_left(std::size_t run) const;

  // `run` counts from 0 within this launch. `mine` is null on ranks that did not take part.
  void write(std::size_t run, const RunRecord* mine);

  // Stores why no run of the case follows this one, or why this one is left out.
  void write_stop(std::size_t run, StopReason reason);

  // Closes the file, reads it back on rank 0, compares checksums and marks the runs verified.
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace breakeven::hdf5
