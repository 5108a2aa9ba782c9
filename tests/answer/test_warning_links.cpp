// SPDX-License-Identifier: Apache-2.0
// Each warning leads to its own row of docs/troubleshooting.md.
#include <gtest/gtest.h>

#include "src/report/machines/machine_report.h"
#include "src/report/warnings/warnings.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

std::string markdown_of(const Results& results, const std::string& docs) {
  return report::make_report(
      results, {.format = report::ReportFormat::markdown, .sections = {"warnings"}, .docs = docs});
}

TEST(WarningLinks, MarkdownLinksTheSymptom) {
  const std::string text = markdown_of(results_by_hand(), "../../docs");
  EXPECT_TRUE(
      contains(text, "- [Few launches](../../docs/troubleshooting.md#few-launches): All runs come from"))
      << text;
  EXPECT_FALSE(contains(text_of(results_by_hand()), "]("));
}

TEST(WarningLinks, WithoutAnAddressNothingIsLinked) {
  const std::string text = markdown_of(results_by_hand(), "");
  EXPECT_TRUE(contains(text, "- Few launches: All runs come from")) << text;
  EXPECT_FALSE(contains(text, "]("));
}

TEST(WarningLinks, AnAddressMayHaveSpacesAndParentheses) {
  EXPECT_TRUE(contains(markdown_of(results_by_hand(), "/my docs (1)"),
                       "](/my%20docs%20%281%29/troubleshooting.md#few-launches): "));
}

TEST(WarningLinks, JsonNamesARowForEachWarning) {
  const nlohmann::json report = json_of(results_by_hand());
  ASSERT_FALSE(report["warnings"].empty());
  ASSERT_EQ(report["warning_pages"].size(), report["warnings"].size());
  EXPECT_EQ(report["warning_pages"].back(), "troubleshooting.md#few-launches");
}

TEST(WarningLinks, AMachinesNameMayComeFirst) {
  EXPECT_EQ(report::page_of_warning("NVIDIA H200: Idle GPUs: In 7 of 12 cases"),
            "troubleshooting.md#idle-gpus");
  EXPECT_EQ(report::page_of_warning("Batch 16 is beyond those measured"), "troubleshooting.md#warnings");
  const Results results = results_by_hand();
  const analysis::FileAnalysis file(results);
  EXPECT_TRUE(contains(
      report::make_machine_report({{"H100", &file}, {"H200", &file}}, report::ReportFormat::markdown, "docs"),
      "- H200: [Few launches](docs/troubleshooting.md#few-launches): "));
}

}  // namespace
}  // namespace breakeven
