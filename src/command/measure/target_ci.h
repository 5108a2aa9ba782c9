// SPDX-License-Identifier: Apache-2.0
// `run --target-ci`: all ranks get the step times, make the same decision which cases go on, and record it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "mpi/session.h"
#include "src/analysis/precision_stop.h"
#include "src/hdf5/parallel/results_writer.h"

namespace breakeven::command {

// Every member is collective over the session's world. Without a target all runs are made and nothing is
// gathered. The caller passes every run of the plan in order, to is_needed() or recall().
class TargetCi {
 public:
  // `runs` are the plan's, whose repeats follow each other.
  TargetCi(const Session& session, const std::vector<Case>& cases, const std::vector<RecordedRun>& runs,
           double target, hdf5::ResultsWriter& writer);

  // Whether to make the run. If not, the reason is written to the file.
  bool is_needed(std::size_t run);

  // Call it after the run. `mine` is null on ranks that sat it out.
  void made(std::size_t run, const RunRecord* mine);

  // An earlier launch made the run or left it out. Rank 0 has the plan's runs as read from the file.
  void recall(std::size_t run, const std::vector<RecordedRun>& earlier);

  // Call it after the last run.
  void finish();

 private:
  void enter_repeat_of(std::size_t run);
  void close_repeat();

  const Session& session_;
  const std::vector<RecordedRun>& runs_;
  hdf5::ResultsWriter& writer_;
  std::vector<std::size_t> case_of_;   // [run]: its case's place among the cases
  std::vector<std::size_t> last_run_;  // [case]: the last of its runs that was made
  std::uint32_t repeat_ = 0;
  std::optional<analysis::PrecisionStop> stop_;
};

}  // namespace breakeven::command
