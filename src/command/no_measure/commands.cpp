// SPDX-License-Identifier: Apache-2.0
// The commands that measure, in a program that was built without the measuring wing.

#include <filesystem>
#include <string_view>

#include "src/command/command.h"
#include "src/core/text/output.h"

namespace breakeven::command {

namespace {

ExitCode cannot_measure(const char* command) {
  std::error_code ignored;
  print_error(
      "breakeven {}: {} was built without MPI, so it cannot measure. Use one that was built where MPI and "
      "parallel HDF5 are installed (docs/building.md)\n",
      command, std::filesystem::read_symlink("/proc/self/exe", ignored).string());
  return ExitCode::environment;
}

}  // namespace

ExitCode run_command(int, char** argv) { return cannot_measure(argv[0]); }
ExitCode trace_kernels_command(int, char** argv) { return cannot_measure(argv[0]); }
ExitCode verify_command(int, char** argv) { return cannot_measure(argv[0]); }
ExitCode topology_command(int, char** argv) { return cannot_measure(argv[0]); }
ExitCode collectives_command(int, char** argv) { return cannot_measure(argv[0]); }
ExitCode kernels_command(int, char** argv) { return cannot_measure(argv[0]); }
ExitCode matmul_command(int, char** argv) { return cannot_measure(argv[0]); }

}  // namespace breakeven::command
