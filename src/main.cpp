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
    Command{"run", "measure: train the planned cases and write every step to a results file",
            breakeven::command::run_command},
    Command{"report", "print tables, timelines and verdicts from a results file",
            breakeven::command::report_command},
    Command{"advise", "say which strategy trains a model fastest, why, and what would change the answer",
            breakeven::command::advise_command},
    Command{"predict", "predict the fastest strategy on more GPUs, and from which number on more GPUs pay",
            breakeven::command::predict_command},
    Command{"compare", "compare two results files case by case: what became faster or slower",
            breakeven::command::compare_command},
    Command{"trace", "write one run's steps and phases on all ranks as a timeline for Perfetto",
            breakeven::command::trace_command},
    Command{"merge", "merge several results files into one", breakeven::command::merge_command},
    Command{"verify", "check the numbers of every strategy against single-device training",
            breakeven::command::verify_command},
    Command{"topology", "show the ranks' devices and measure the links between them",
            breakeven::command::topology_command},
    Command{"collectives", "time the collective operations at each message size, and check their results",
            breakeven::command::collectives_command},
    Command{"kernels", "time every GEMM kernel on the matrix products of the models, against cuBLAS",
            breakeven::command::kernels_command},
    Command{"matmul", "time one matrix product on 1 to N GPUs, distributed in several forms",
            breakeven::command::matmul_command},
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
