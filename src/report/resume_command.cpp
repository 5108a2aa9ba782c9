// SPDX-License-Identifier: Apache-2.0
#include "src/report/resume_command.h"

#include <string_view>

#include <fmt/format.h>

namespace breakeven::report {

std::string resume_command(std::size_t ranks, std::string command_line) {
  for (const std::string_view option : {" --append", " --resume"})
    if (const auto at = command_line.find(option); at != command_line.npos)
      command_line.erase(at, option.size());
  return fmt::format("mpirun -np {} {} --resume", ranks, command_line);
}

}  // namespace breakeven::report
