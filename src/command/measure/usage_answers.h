// SPDX-License-Identifier: Apache-2.0
// What rank 0 prints about a command line, for all ranks.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "mpi/session.h"
#include "src/core/failure.h"
#include "src/core/text/output.h"
#include "src/core/text/printable.h"
#include "src/core/text/usage.h"

namespace breakeven::command {

inline ExitCode refuse_options(const Session& session, const std::string& sentence) {
  if (session.is_root()) print_error("breakeven: {}\n", printable_line(sentence));
  return ExitCode::usage;
}

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
