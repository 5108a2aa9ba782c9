// SPDX-License-Identifier: Apache-2.0
// What files and users say is made visible before it is printed: on the terminal, in Markdown and in CSV.
#include "src/core/text/printable.h"

#include <gtest/gtest.h>

#include "src/report/report.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

TEST(Printable, WhatATerminalWouldObeyIsVisible) {
  EXPECT_EQ(printable("plain, µs and 漢字\n"), "plain, µs and 漢字\n");
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("a\tb\rc\x7f"), "a\\x09b\\x0dc\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\u{9b}");              // CSI as one character
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\u{202e}");        // right to left from here on
  EXPECT_EQ(printable("\xff\xc0\x80"), "\\xff\\xc0\\x80");  // not UTF-8
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable_line("one\ntwo"), "one two");
}

Results hostile(const std::string& text) {
  Results results = results_by_hand();
  Launch& launch = results.launches.front();
  launch.command_line = launch.git_revision = launch.started = text;
  launch.versions.emplace_back(text, text);
  launch.settings.emplace_back(text, text);
  launch.environment.emplace_back(text, text);
  for (RankInfo& rank : launch.topology.ranks) rank.host = rank.device.name = text;
  for (RecordedRun& run : results.runs) run.planned.what.model = run.planned.what.nccl = text;
  return results;
}

std::string report_in(report::ReportFormat format, const std::string& text) {
  report::ReportRequest request;
  request.format = format;
  return report::make_report(hostile(text), request);
}

TEST(Printable, NoFormatForPeopleHasControlCharacters) {
  using enum report::ReportFormat;
  for (const auto format : {text, markdown, csv, json}) {
    const std::string printed = report_in(format, "a\x1b[31mb\x07\x7f\r");
    EXPECT_EQ(printed.find_first_of("\x1b\x07\r"), std::string::npos) << static_cast<int>(format);
    EXPECT_NE(printed.find(format == json ? "a\\u001b[31mb" : "a\\x1b[31mb"), std::string::npos);
  }
}

TEST(Printable, JsonEscapesTheC1ControlsToo) {
  EXPECT_EQ(without_controls("\"a\xc2\x9b\x7f\xc2\xa0\xc3\x9b\""), "\"a\\u009b\\u007f\xc2\xa0\xc3\x9b\"");
  const std::string printed = report_in(report::ReportFormat::json, "a\xc2\x80\xc2\x9b\x7f");
  EXPECT_NE(printed.find("a\\u0080\\u009b\\u007f"), std::string::npos);
  EXPECT_EQ(printed.find('\x7f'), std::string::npos);
  EXPECT_EQ(printed.find("\xc2\x9b"), std::string::npos);
}

TEST(Printable, NoCellOfACsvIsAFormulaAndNumbersStayNumbers) {
  for (const char* formula : {"=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"}) {
    const std::string csv = report_in(report::ReportFormat::csv, formula);
    for (const char* begins :
         {"\n=", "\n+", "\n-", "\n@", "\n\t", "\n\r", ",=", ",+", ",@", ",\t", ",\r", ",\"=", ",\"+", ",-1+"})
      EXPECT_EQ(csv.find(begins), std::string::npos) << formula << " in " << csv;
  }
  EXPECT_NE(report_in(report::ReportFormat::csv, "=1+1").find("\n'=1+1,"), std::string::npos);
  report::ReportTable table{"", {{.key = "n", .header = "n"}}, {{report::exact(-1.5)}}};
  EXPECT_EQ(report::render_csv(table), "n\n-1.5\n");
}

}  // namespace
}  // namespace breakeven
