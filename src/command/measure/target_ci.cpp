// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/target_ci.h"

#include <algorithm>

#include "mpi/mpi_call.h"
#include "src/analysis/step_times.h"
#include "src/command/measure/planned_launch.h"
#include "src/measure/run_case.h"
#include "src/statistics/sample.h"

namespace breakeven::command {
namespace {

// The mean of the run's steady steps (as step_series() will give it), the same on every rank.
double agree_on_run_mean(const Session& session, const RecordedRun& run, const RunRecord* mine) {
  const analysis::StepSeries series =
      analysis::series_of(measure::gather_step_seconds(session, run.planned.what, run.steps, mine));
  double run_mean = statistics::mean(series.used());
  MPI_CALL(MPI_Bcast(&run_mean, 1, MPI_DOUBLE, 0, session.world()), "agreeing on a run's step time");
  return run_mean;
}

}  // namespace

TargetCi::TargetCi(const Session& session, const std::vector<Case>& cases,
                   const std::vector<RecordedRun>& runs, double target, hdf5::ResultsWriter& writer)
    : session_(session),
      runs_(runs),
      writer_(writer),
      case_of_(case_of_each(runs, cases)),
      last_run_(cases.size()) {
  if (target > 0) stop_.emplace(cases, target);
}

bool TargetCi::is_needed(std::size_t run) {
  if (!stop_) return true;
  enter_repeat_of(run);
  if (stop_->goes_on(case_of_[run])) return true;
  writer_.write_stop(run, StopReason::precise);
  return false;
}

void TargetCi::made(std::size_t run, const RunRecord* mine) {
  if (!stop_) return;
  stop_->add(case_of_[run], agree_on_run_mean(session_, runs_[run], mine));
  last_run_[case_of_[run]] = run;
}

void TargetCi::recall(std::size_t run, const std::vector<RecordedRun>& earlier) {
  if (!stop_) return;
  enter_repeat_of(run);
  struct {
    int was_made;
    double mean_seconds;
  } found{0, 0};
  if (session_.is_root() && earlier[run].status != RunStatus::planned) {
    found = {1, statistics::mean(analysis::series_of(analysis::step_series(earlier[run])).used())};
  }
  MPI_CALL(MPI_Bcast(&found, sizeof found, MPI_BYTE, 0, session_.world()),
           "sharing an earlier run's step time");
  if (found.was_made == 0) return;
  stop_->add(case_of_[run], found.mean_seconds);
  last_run_[case_of_[run]] = run;
}

void TargetCi::enter_repeat_of(std::size_t run) {
  if (runs_[run].planned.repeat != repeat_) close_repeat();
  repeat_ = runs_[run].planned.repeat;
}

void TargetCi::close_repeat() {
  for (const std::size_t which : stop_->close_repeat())
    writer_.write_stop(last_run_[which], StopReason::precise);
}

void TargetCi::finish() {
  if (!stop_) return;
  close_repeat();
  for (std::size_t which = 0; which < last_run_.size(); ++which) {
    if (stop_->goes_on(which)) writer_.write_stop(last_run_[which], StopReason::repeats);
  }
}

}  // namespace breakeven::command
