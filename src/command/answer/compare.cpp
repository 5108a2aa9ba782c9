// SPDX-License-Identifier: Apache-2.0
// `breakeven compare OLD NEW`: what became faster or slower, from two results files. Needs no GPU.
#include <optional>
#include <string>

#include "src/command/answer/file_command.h"
#include "src/command/answer/shared_options.h"
#include "src/command/command.h"
#include "src/core/text/numbers.h"
#include "src/hdf5/read_results.h"
#include "src/report/compare/change_report.h"

namespace breakeven::command {
namespace {

struct CompareOptions {
  std::string before;
  std::string after;
  AnswerPlace place;
  std::optional<double> gate{};
};

bool parse_gate(std::string_view text, std::optional<double>& gate) {
  return parse_share(text, gate.emplace());
}

void add_options(CommandOptions& options, CompareOptions& o) {
  options.add_positional("old", o.before);
  options.add_positional("new", o.after);
  options.check([&o] {
    return o.before.empty() || o.after.empty()
               ? "compare needs two results files: breakeven compare OLD.h5 NEW.h5"
               : "";
  });
  options.add("gate", "",
              "exit with code 7 if a case is slower by this share (such as 5%) or more, and with 8 if the "
              "measurements cannot tell",
              parsed_by(parse_gate, "gate", "a share between 0 and 1, such as 5% or 0.05", o.gate), "SHARE");
  add_format_and_output(options, o.place);
}

}  // namespace

ExitCode compare_command(int argc, char** argv) {
  CompareOptions o;
  CommandOptions options("breakeven compare OLD NEW [OPTION...]");
  add_options(options, o);
  if (const auto done = read_options("compare", argc, argv, options)) return *done;
  const Results before = hdf5::read_results(o.before), after = hdf5::read_results(o.after);
  const analysis::FileAnalysis old_cases(before), new_cases(after);
  const report::ChangeReport report =
      report::make_change_report(old_cases, new_cases, o.place.format, o.gate);
  write_text(report.text, o.place.path, "the comparison");
  if (report.gate && (report.has_wrong_old || report.has_wrong_new))
    return tell_wrong_numbers(report.has_wrong_new ? new_cases : old_cases);
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
