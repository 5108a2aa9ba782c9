// SPDX-License-Identifier: Apache-2.0
#include "src/report/format/report_format.h"

#include <nlohmann/json.hpp>

#include "src/core/text/printable.h"
#include "src/core/text/usage.h"

namespace breakeven::report {
namespace {

// A byte that is not UTF-8, in a host's name perhaps, must not cost the report.
std::string json_of(const PrintedReport& report) {
  const TableDeclaration& whole = report.whole.declaration();
  nlohmann::ordered_json json{{"format", whole.format}, {"version", whole.version}};
  json.update(report.json());
  return without_controls(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n";
}

}  // namespace

std::variant<ReportFormat, UsageError> parse_format(const std::string& word) {
  if (const auto format = find_value<ReportFormat>(word)) return *format;
  return UsageError{problem_of_word("format", word, all_words<ReportFormat>())};
}

std::string print(const PrintedReport& report, ReportFormat format) {
  switch (format) {
    case ReportFormat::json:
      return json_of(report);
    case ReportFormat::csv:
      return render_csv(report.rows());
    case ReportFormat::markdown:
      return report.document().markdown(report.docs);
    case ReportFormat::terminal:
      return report.document().text(Ink::coloured);
    case ReportFormat::text:
      break;
  }
  return report.document().text();
}

}  // namespace breakeven::report
