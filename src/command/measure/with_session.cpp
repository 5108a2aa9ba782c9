// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/with_session.h"

#include <csignal>
#include <cstring>
#include <string>
#include <string_view>

#include "mpi/interrupt.h"
#include "mpi/mpi_call.h"
#include "mpi/watchdog.h"
#include "src/core/process_state.h"
#include "src/core/text/numbers.h"

namespace breakeven::command {
namespace {

// --timeout, for what happens before the options are read: rank 0 speaks about them for all, so MPI comes
// first.
double limit_in(int argc, char** argv) {
  constexpr std::string_view option = "--timeout";
  double seconds = process_state().limit_seconds;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with(option)) continue;
    const char* const equals = std::strchr(argv[i], '=');
    const char* const value = equals != nullptr ? equals + 1 : i + 1 < argc ? argv[i + 1] : "";
    if (const auto given = parse_number<double>(value); given && *given > 0) seconds = *given;
  }
  return seconds;
}

}  // namespace

ExitCode with_session(int argc, char** argv, ExitCode (*work)(const Session&, int, char**)) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is no reason to lose a measurement
  start_watchdog(limit_in(argc, argv));
  const Session session(&argc, &argv);
  const ExitCode code = session.agree(code_after_output(work(session, argc, argv)));
  if (code != ExitCode::success) say_nothing_when_interrupted();
  session.end_quietly(code);
  return code;
}

ExitCode on_every_rank(const Session& session, const std::function<void()>& work) {
  ExitCode code = ExitCode::success;
  std::string cause;
  try {
    work();
  } catch (const Failure& failure) {
    code = failure.code();
    cause = failure.what();
  }
  int speaker = code == ExitCode::success ? session.size() : session.rank();
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, session.world()));
  if (speaker == session.rank()) print_error("breakeven: {}\n", printable_line(cause));
  return session.agree(code);
}

ExitCode write_on_root(const Session& session, const std::function<ExitCode()>& write) {
  ExitCode code = ExitCode::success;
  const ExitCode written = on_every_rank(session, [&] {
    if (session.is_root()) code = write();
  });
  return written == ExitCode::success ? session.agree(code) : written;
}

void warn_of_pauses(const Session& session) {
  if (session.any(times_continued() > 0) && session.is_root())
    print_error(
        "breakeven: warning: the job was suspended while it measured. Measure again: times may contain the "
        "pause\n");
}

ExitCode refuse_options(const Session& session, const std::string& sentence) {
  if (session.is_root()) print_error("breakeven: {}\n", printable_line(sentence));
  return ExitCode::usage;
}

}  // namespace breakeven::command
