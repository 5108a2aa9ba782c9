// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/stopping.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "mpi/interrupt.h"
#include "mpi/local_ranks.h"
#include "src/command/measure/auto_cases.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/text/printable.h"
#include "src/measure/recorded_environment.h"
#include "src/report/words/next_command.h"

namespace breakeven::command {
namespace {

bool say_on_stop(const std::string& text) {
  return say_when_interrupted("\nbreakeven: stopping. " + text + "\n");
}

// The file is untouched, so the same command is right, whatever it says about the file.
void say_nothing_measured(int ranks, const std::string& command_line) {
  say_on_stop(fmt::format("Nothing was measured. To start again, run: {}{}",
                          ranks > 1 ? fmt::format("mpirun -np {} ", ranks) : "",
                          printable_line(command_line)));
}

bool has_auto(const hdf5::LaunchPlan& plan) {
  return std::ranges::any_of(plan.runs, [](const RecordedRun& run) { return is_auto(run.planned.what); });
}

}  // namespace

void say_how_to_start_again(int argc, char** argv) {
  const char* const launched = std::getenv("OMPI_COMM_WORLD_SIZE");
  const bool has_other_launcher =
      std::getenv("PMI_RANK") != nullptr || std::getenv("SLURM_PROCID") != nullptr;
  const int ranks = launched == nullptr ? 1 : std::atoi(launched);
  const int rank = rank_by_environment();
  if (rank > 0 || (launched == nullptr && (rank == 0 || has_other_launcher))) return;
  say_nothing_measured(ranks, measure::recorded_command_line(argc, argv));
}

void say_how_to_start_again(const Session& session, const std::string& command_line) {
  if (session.is_root()) say_nothing_measured(session.size(), command_line);
}

bool say_how_to_go_on(const LaunchSetup& setup, const hdf5::LaunchPlan& plan, bool has_runs) {
  const Session& session = *setup.session;
  if (!session.is_root()) return true;
  const std::string file = printable_line(setup.options.output);
  const std::string command = printable_line(plan.launch.command_line);
  const auto ranks = static_cast<std::size_t>(session.size());
  const std::string next =
      has_auto(plan) ? report::append_command(ranks, command) : report::resume_command(ranks, command);
  if (!has_runs) return say_on_stop("No run of this launch is finished. To start again, run: " + next);
  const std::string_view others = has_auto(plan) ? "all again" : "the others";
  return say_on_stop(fmt::format("{} holds the finished runs. To measure {}, run: {}", file, others, next));
}

bool may_make_file(const LaunchSetup& setup, const hdf5::LaunchPlan& plan, bool has_runs) {
  const Session& session = *setup.session;
  return !is_asked_to_stop(session) && !session.any(!say_how_to_go_on(setup, plan, has_runs));
}

void say_how_to_read(const LaunchSetup& setup) {
  if (!setup.session->is_root()) return;
  const std::string file = printable_line(setup.options.output);
  say_on_stop(fmt::format("{0} holds all runs. To read them, run: breakeven report {0}", file));
}

bool is_asked_to_stop(const Session& session) { return session.any(interrupted()); }

bool was_only_suspended(const Session& session, unsigned before) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds until_asked(1500), pause(20);
  if (!session.any(times_continued() != before)) return false;
  const Clock::time_point end = Clock::now() + until_asked;
  while (!interrupted() && Clock::now() < end) std::this_thread::sleep_for(pause);
  return !is_asked_to_stop(session);
}

}  // namespace breakeven::command
