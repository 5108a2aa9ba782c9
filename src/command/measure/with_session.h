// SPDX-License-Identifier: Apache-2.0
// How a measuring command starts and ends on all ranks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "mpi/session.h"
#include "src/core/failure.h"
#include "src/core/text/output.h"
#include "src/core/text/printable.h"
#include "src/core/text/usage.h"

namespace breakeven::command {

// Starts the watchdog, then MPI, and calls `work` on every rank. Ends the job with the highest code of all
// ranks, or with ExitCode::file if rank 0's output could not be written.
ExitCode with_session(int argc, char** argv, ExitCode (*work)(const Session& session, int argc, char** argv));

// What every rank does by itself, such as reading a file. If it fails on any, the first of those ranks says
// why, and all get the highest exit code of the Failures. Collective.
ExitCode on_every_rank(const Session& session, const std::function<void()>& work);

// Rank 0 writes what was measured, and says why if it cannot. All get its exit code. Collective.
ExitCode write_on_root(const Session& session, const std::function<ExitCode()>& write);

// On rank 0: says that times may be wrong if any rank has been suspended so far. Collective.
void warn_of_pauses(const Session& session);

// Rank 0 prints for all ranks what is wrong with the command line.
ExitCode refuse_options(const Session& session, const std::string& sentence);

// Refuses wrong options, prints the help, or warns of renamed options. Returns the exit code if the command
// ends there.
template <typename Options>
std::optional<ExitCode> answer_usage(const Session& session,
                                     const std::variant<Options, UsageError, HelpText>& parsed) {
  if (const auto* error = std::get_if<UsageError>(&parsed)) return refuse_options(session, error->sentence);
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    if (session.is_root()) print_out("{}", help->text);
    return ExitCode::success;
  }
  if (!session.is_root()) return {};
  for (const std::string& warning : std::get<Options>(parsed).warnings)
    print_error("breakeven: warning: {}\n", printable_line(warning));
  return {};
}

}  // namespace breakeven::command
