// SPDX-License-Identifier: Apache-2.0
#include "src/report/report_format.h"

#include <fmt/format.h>

namespace breakeven {

std::variant<ReportFormat, UsageError> parse_format(const std::string& word) {
  if (word == "text") return ReportFormat::text;
  if (word == "markdown") return ReportFormat::markdown;
  if (word == "csv") return ReportFormat::csv;
  if (word == "json") return ReportFormat::json;
  return UsageError{fmt::format("--format '{}' is not one of text, markdown, csv, json", word)};
}

}  // namespace breakeven
