// SPDX-License-Identifier: Apache-2.0
// breakeven: at what point does adding GPUs pay off, on this machine, for this model?
#include <array>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include "src/command/command.h"
#include "src/core/terminate.h"
#include "version.h"

namespace {

using breakeven::ExitCode;

struct Command {
  std::string_view name;
  std::string_view summary;
  ExitCode (*run)(int argc, char** argv);
};

constexpr std::array commands{
    Command{"run", "measure: train the planned cases and write every step into a results file",
            breakeven::run_command},
    Command{"report", "what happened: tables, timelines, verdicts from a results file",
            breakeven::report_command},
    Command{"advise", "which way to train a model is the fastest, why, and what would turn the answer",
            breakeven::advise_command},
    Command{"predict", "the best way on numbers of GPUs that are not here, and where more of them pays",
            breakeven::predict_command},
    Command{"compare", "two results files, case by case: what became faster or slower",
            breakeven::compare_command},
    Command{"trace", "one run's steps and phases on all ranks as a timeline, for Perfetto",
            breakeven::trace_command},
    Command{"merge", "several results files become one", breakeven::merge_command},
    Command{"verify", "every strategy against the single-device run", breakeven::verify_command},
    Command{"topology", "the ranks' devices and the links between them", breakeven::topology_command},
    Command{"collectives", "what the calls of an exchange take, size by size, and whether they are right",
            breakeven::collectives_command},
    Command{"kernels", "every matrix product of the models, kernel by kernel, against cuBLAS",
            breakeven::kernels_command},
    Command{"matmul", "one matrix product on 1 to N GPUs, in every form of sharing it",
            breakeven::matmul_command},
};

std::string usage() {
  std::string text = "usage: breakeven COMMAND [OPTION...]   (COMMAND --help lists its options)\n";
  for (const Command& command : commands) text += fmt::format("  {:<11} {}\n", command.name, command.summary);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  breakeven::install_terminate_handler();
  const std::string_view name = argc > 1 ? argv[1] : "--help";
  for (const Command& command : commands) {
    if (command.name == name) return static_cast<int>(command.run(argc - 1, argv + 1));
  }
  if (name == "--version") {
    fmt::print("breakeven {} ({})\n", breakeven::program_version, breakeven::git_revision);
  } else if (name == "--help") {
    fmt::print("{}", usage());
  } else {
    fmt::print(stderr, "breakeven: '{}' is not a command\n{}", name, usage());
    return static_cast<int>(ExitCode::usage);
  }
  return static_cast<int>(ExitCode::success);
}
