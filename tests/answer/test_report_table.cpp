// SPDX-License-Identifier: Apache-2.0
// One table rendered four ways.
#include <gtest/gtest.h>

#include <sstream>

#include <nlohmann/json.hpp>

#include "src/core/records/run_record.h"
#include "src/core/text/display_width.h"
#include "src/report/format/document.h"

namespace breakeven {
namespace {

report::ReportTable small_table() {
  return {"Title",
          {{"name", "Name", report::Align::left}, {"seconds", "Step\ntime"}, {"efficiency", "Efficiency"}},
          {{"a|b", report::Cell("212 µs", 212e-6), report::Cell("37 %", 0.37)},
           {"long, \"name\"", report::Cell("–", not_measured), report::exact(0.5)}}};
}

TEST(ReportTable, TextIsAlignedByDisplayWidth) {
  EXPECT_EQ(report::render_text(small_table()),
            "Title\n"
            "                Step\n"
            "Name            time  Efficiency\n"
            "------------  ------  ----------\n"
            "a|b           212 µs        37 %\n"
            "long, \"name\"       –         0.5\n");
}

// The first column and the last hold words, the numbers between them stay whole.
TEST(ReportTable, TooWideATableHasWordsInSeveralLines) {
  const std::string words = "eleven char eleven char eleven char eleven char";
  const report::Cell number("1.234 ms ± 0.567 ms of the mean of all steps", 1e-3);
  const report::ReportTable table{
      "",
      {{"a", "A", report::Align::left}, {"b", "B", report::Align::left}, {"c", "C", report::Align::left}},
      {{words, number, words}, {"short", number, "pays"}}};
  const std::string text = report::render_text(table);
  for (std::istringstream lines(text); !lines.eof();) {
    std::string line;
    std::getline(lines, line);
    EXPECT_LE(display_width(line), report::text_columns) << text;
  }
  EXPECT_NE(text.find("1.234 ms ± 0.567 ms of the mean of all steps eleven"), std::string::npos) << text;
  EXPECT_NE(text.find("\nshort"), std::string::npos) << text;
}

TEST(ReportTable, TheTitleSaysWhatEveryRowSays) {
  report::ReportTable table{
      "Title", {{"a", "A"}, {"b", "The\nb"}, {"c", "C"}}, {{"1", "yes", "x"}, {"2", "yes", "y"}}};
  report::say_shared({"b", "c"}, table);
  EXPECT_EQ(report::render_text(table), "Title. In every row: The b yes\nA  C\n-  -\n1  x\n2  y\n");
}

TEST(ReportTable, MarkdownJoinsHeadersAndEscapesBars) {
  EXPECT_EQ(report::render_markdown(small_table()),
            "| Name | Step time | Efficiency |\n"
            "|---|---:|---:|\n"
            "| a\\|b | 212 µs | 37 % |\n"
            "| long, \"name\" | – | 0.5 |\n");
}

TEST(ReportTable, CsvHasKeysValuesAndQuotes) {
  EXPECT_EQ(report::render_csv(small_table()),
            "name,seconds,efficiency\n"
            "a|b,0.000212,0.37\n"
            "\"long, \"\"name\"\"\",,0.5\n");
}

TEST(ReportTable, JsonHasNullWhereNotMeasured) {
  const auto rows = report::render_json(small_table());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["seconds"], 212e-6);
  EXPECT_TRUE(rows[1]["seconds"].is_null());
  EXPECT_EQ(rows[1]["name"], "long, \"name\"");
}

TEST(Document, ListsAreTogetherAndBlocksApart) {
  report::Document document;
  document.heading(1, "Report");
  document.item("one");
  document.item("two");
  document.paragraph("three");
  document.table(report::ReportTable{"empty", {{"a", "A"}}, {}});
  document.preformatted("██\n");
  EXPECT_EQ(document.text(), "Report\n======\n\n- one\n- two\n\nthree\n\n██\n");
  EXPECT_EQ(document.markdown(), "# Report\n\n- one\n- two\n\nthree\n\n```\n██\n```\n");
}

}  // namespace
}  // namespace breakeven
