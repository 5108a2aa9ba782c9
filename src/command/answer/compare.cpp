// SPDX-License-Identifier: Apache-2.0
// `breakeven compare OLD NEW`: what became faster or slower, from two results files. Needs no GPU.
#include <optional>
#include <string>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/answer/file_command.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/core/text/numbers.h"
#include "src/hdf5/read_results.h"
#include "src/report/change_report.h"

namespace breakeven::command {
namespace {

namespace po = boost::program_options;

struct CompareOptions {
  std::string before;
  std::string after;
  std::string gate_words;
  OutputWords output;
  report::ReportFormat format = report::ReportFormat::text;
  std::optional<double> gate{};
};

// What is wrong with the options, or "".
std::string read(CompareOptions& options) {
  if (options.before.empty() || options.after.empty())
    return "compare needs two results files: breakeven compare OLD.h5 NEW.h5";
  const std::string wrong = read_output(options.output, {options.before, options.after}, options.format);
  if (!wrong.empty()) return wrong;
  if (options.gate_words.empty()) return "";
  if (!parse_share(options.gate_words, options.gate.emplace()))
    return fmt::format("--gate '{}' is not a share between 0 and 1, such as 5% or 0.05{}", options.gate_words,
                       number_hint(options.gate_words));
  return "";
}

}  // namespace

ExitCode compare_command(int argc, char** argv) {
  CompareOptions options;
  po::options_description visible("breakeven compare OLD NEW [OPTION...]");
  visible.add_options()(
      "gate", po::value(&options.gate_words)->value_name("SHARE"),
      "exit with code 7 if a case is slower by this share (such as 5%) or more, and with 8 if the "
      "measurements cannot tell");
  describe_output(visible, options.output);
  if (const auto done =
          read_words("compare", argc, argv, visible, {{"old", &options.before}, {"new", &options.after}}))
    return *done;
  if (const std::string wrong = read(options); !wrong.empty()) return refuse("compare", wrong);
  const Results before = hdf5::read_results(options.before), after = hdf5::read_results(options.after);
  const report::ChangeReport report = report::make_change_report(
      analysis::FileAnalysis(before), analysis::FileAnalysis(after), options.format, options.gate);
  write_text(report.text, options.output.path, "the comparison");
  switch (report.gate.value_or(analysis::GateVerdict::holds)) {
    case analysis::GateVerdict::regression:
      return refuse("compare", "the gate fails", ExitCode::gate);
    case analysis::GateVerdict::inconclusive:
      return refuse("compare", "the gate is inconclusive", ExitCode::inconclusive);
    case analysis::GateVerdict::holds:
      break;
  }
  return ExitCode::success;
}

}  // namespace breakeven::command
