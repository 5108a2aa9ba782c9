// SPDX-License-Identifier: Apache-2.0
// breakeven: at what point does adding GPUs pay off, on this machine, for this model?
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "src/command/command.h"
#include "src/core/terminate.h"
#include "src/core/text/output.h"
#include "src/core/text/printable.h"
#include "src/core/text/similar.h"
#include "src/core/text/usage.h"
#include "version.h"

namespace {

using breakeven::ExitCode;

struct Command {
  std::string_view name;
  std::string_view summary;
  ExitCode (*run)(int argc, char** argv);
};

// With --kernels it starts ranks, without it reads a file.
ExitCode trace(int argc, char** argv) {
  const bool measures =
      std::any_of(argv + 1, argv + argc, [](std::string_view word) { return word == "--kernels"; });
  return measures ? breakeven::command::trace_kernels_command(argc, argv)
                  : breakeven::command::trace_command(argc, argv);
}

constexpr std::array commands{
    Command{"run", "measure: train the planned cases and write every step to a results file",
            breakeven::command::run_command},
    Command{"wrap", "measure another training program: start it for each case, and write one results file",
            breakeven::command::wrap_command},
    Command{"report", "print tables, timelines and verdicts from a results file",
            breakeven::command::report_command},
    Command{"advise", "say which strategy trains a model fastest, why, and what would change the answer",
            breakeven::command::advise_command},
    Command{"predict", "predict the fastest strategy on more GPUs, and how many GPUs it takes to pay",
            breakeven::command::predict_command},
    Command{"compare", "compare two results files case by case: what became faster or slower",
            breakeven::command::compare_command},
    Command{"trace",
            "write one run's steps and phases as a timeline for Perfetto, or record a case's kernels", trace},
    Command{"merge", "merge several results files into one", breakeven::command::merge_command},
    Command{"repair", "copy everything that is intact in a damaged results file into a new one",
            breakeven::command::repair_command},
    Command{"check", "say what is missing or wrong in a results file that another program wrote",
            breakeven::command::check_command},
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

ExitCode refuse(std::string_view name) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.emplace_back(command.name);
  breakeven::print_error("breakeven: '{}' is not a command{}\n{}", breakeven::printable_line(name),
                         breakeven::did_you_mean(name, names), usage());
  return ExitCode::usage;
}

}  // namespace

int main(int argc, char** argv) {
  breakeven::prepare_standard_streams();
  breakeven::install_terminate_handler();
  const std::string_view name = argc > 1 ? argv[1] : "--help";
  const bool explains = name == "help" && argc > 2;  // `help report` is `report --help`
  const std::string_view wanted = explains ? argv[2] : name;
  const auto command = std::ranges::find(commands, wanted, &Command::name);
  if (command != commands.end()) {
    breakeven::set_command_summary(command->summary);
    std::string help = "--help";
    std::array<char*, 3> words{argv[explains ? 2 : 1], help.data(), nullptr};
    return static_cast<int>(breakeven::code_after_output(explains ? command->run(2, words.data())
                                                                  : command->run(argc - 1, argv + 1)));
  }
  if (name == "--version" || name == "-V") {
    breakeven::print_out("breakeven {} ({})\n", breakeven::program_version, breakeven::git_revision);
  } else if (wanted == "--help" || wanted == "-h" || wanted == "help") {
    breakeven::print_out("{}", usage());
  } else {
    return static_cast<int>(refuse(wanted));
  }
  return static_cast<int>(breakeven::code_after_output(ExitCode::success));
}
