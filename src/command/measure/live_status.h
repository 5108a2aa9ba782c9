// SPDX-License-Identifier: Apache-2.0
// The status that `breakeven run` shows between its runs. It is gathered on rank 0, never while steps are
// measured.
#pragma once

#include <cstddef>
#include <vector>

#include "mpi/session.h"
#include "src/core/records/results.h"
#include "src/measure/progress.h"
#include "src/measure/time_left.h"
#include "src/report/words/live_lines.h"

namespace breakeven::command {

class LiveStatusScreen {
 public:
  // `at_most`: runs may be left out. The runs are borrowed.
  LiveStatusScreen(const Session& session, const std::vector<Case>& cases,
                   const std::vector<RecordedRun>& runs, bool at_most);

  void case_ended(std::size_t run);  // this run and later ones of its case will not be made
  void begins(std::size_t run);
  // Collective over the world: rank 0 learns the readings of the others. `mine` is null on ranks that sat
  // the run out.
  void made(std::size_t run, const RunRecord* mine);
  void finish();

 private:
  // By rank 0's events.
  struct Seen {
    std::vector<double> step_seconds;  // of the last runs
    double exchange_share = not_measured;
  };

  const Session& session_;
  const std::vector<RecordedRun>& runs_;
  std::vector<std::size_t> case_of_;    // [run]
  std::vector<std::size_t> phases_of_;  // [case]: the case that measures its phases
  std::vector<Seen> seen_;              // [case]
  report::LiveStatus status_;
  measure::TimeLeft time_left_;
  measure::StatusScreen screen_;
  double run_began_seconds_ = 0;
  std::size_t made_ = 0;
};

}  // namespace breakeven::command
