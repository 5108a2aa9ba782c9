// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/live_status.h"

#include <algorithm>

#include <fmt/format.h>

#include "mpi/pack.h"
#include "src/command/measure/planned_launch.h"
#include "src/core/strategy/case_strategy.h"
#include "src/report/format/numbers.h"
#include "src/statistics/sample.h"

namespace breakeven::command {
namespace {

constexpr std::size_t rolling_runs = 5;

// For each case the place of the case that measures its phases; cases.size() if there is none.
std::vector<std::size_t> phases_of(const std::vector<Case>& cases) {
  std::vector<std::size_t> places;
  for (Case what : cases) {
    what.timing = Timing::phases;
    places.push_back(static_cast<std::size_t>(std::ranges::find(cases, what) - cases.begin()));
  }
  return places;
}

double total_of(const RunRecord& record, Phase phase) {
  double seconds = 0;
  for (std::uint32_t step = 0; step < made_steps(record); ++step) seconds += record.at(step, phase);
  return seconds;
}

}  // namespace

LiveStatusScreen::LiveStatusScreen(const Session& session, const std::vector<Case>& cases,
                                   const std::vector<RecordedRun>& runs, bool at_most)
    : session_(session),
      runs_(runs),
      case_of_(case_of_each(runs, cases)),
      phases_of_(phases_of(cases)),
      seen_(cases.size()),
      time_left_(cases, case_of_) {
  status_.runs = runs.size();
  status_.at_most = at_most;
  status_.ranks.resize(static_cast<std::size_t>(session.size()));
}

void LiveStatusScreen::case_ended(std::size_t run) { time_left_.ended(run); }

void LiveStatusScreen::begins(std::size_t run) {
  if (!session_.is_root()) return;
  const std::size_t which = case_of_[run];
  status_.run = run;
  status_.label = label_with_rows(runs_[run].planned.what);
  status_.seconds_left = time_left_.seconds_from(run);
  status_.step_runs = seen_[which].step_seconds.size();
  status_.step_seconds = status_.step_runs > 0 ? statistics::mean(seen_[which].step_seconds) : not_measured;
  const std::size_t phases = phases_of_[which];
  const bool exchanges = runs_[run].planned.what.transport != Transport::none;
  status_.exchange_share = exchanges && phases < seen_.size() ? seen_[phases].exchange_share : not_measured;
  screen_.show(report::live_lines(status_), report::live_log_line(status_));
  run_began_seconds_ = screen_.elapsed_seconds();
}

void LiveStatusScreen::made(std::size_t run, const RunRecord* mine) {
  made_ += 1;
  const Telemetry own = mine != nullptr ? mine->telemetry : Telemetry{};
  const std::vector<Telemetry> all = gather_records(session_.world(), std::vector{own});
  const auto took_part = static_cast<std::size_t>(runs_[run].planned.what.gpus);
  std::copy_n(all.begin(), took_part, status_.ranks.begin());
  if (!session_.is_root() || mine == nullptr) return;
  time_left_.made(run, screen_.elapsed_seconds() - run_began_seconds_);
  Seen& seen = seen_[case_of_[run]];
  const double steps_seconds = total_of(*mine, Phase::step);
  if (seen.step_seconds.size() == rolling_runs) seen.step_seconds.erase(seen.step_seconds.begin());
  seen.step_seconds.push_back(steps_seconds / made_steps(*mine));
  seen.exchange_share = total_of(*mine, Phase::exchange) / steps_seconds;
}

void LiveStatusScreen::finish() {
  if (!session_.is_root()) return;
  screen_.finish(fmt::format("{} runs in {}", report::format_count(made_),
                             report::format_time_left(screen_.elapsed_seconds())));
}

}  // namespace breakeven::command
