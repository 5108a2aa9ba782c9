// SPDX-License-Identifier: Apache-2.0
// The formats of --format, which all commands share, and the function that prints a report in any of them.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "src/core/text/usage.h"
#include "src/core/words_of.h"
#include "src/report/format/declared_table.h"
#include "src/report/format/document.h"

namespace breakeven::report {
// `terminal` is coloured text. No word asks for it.
enum class ReportFormat { text, markdown, csv, json, terminal };
}  // namespace breakeven::report

// A specialisation stands in the namespace of what it specialises.
namespace breakeven {
template <>
inline constexpr std::array<std::string_view, 4> words_of<report::ReportFormat>{"text", "markdown", "csv",
                                                                                "json"};
}  // namespace breakeven

namespace breakeven::report {

std::variant<ReportFormat, UsageError> parse_format(const std::string& word);

// What a command has to say. Only what the format needs is made.
struct PrintedReport {
  const DeclaredTable& whole;                    // with the JSON's `format` and `version`
  std::function<Document()> document;            // for text and markdown
  std::function<ReportTable()> rows;             // for CSV
  std::function<nlohmann::ordered_json()> json;  // behind `format` and `version`
  std::string docs = "";                         // the address of the docs, which Markdown links
};

std::string print(const PrintedReport& report, ReportFormat format);

}  // namespace breakeven::report
