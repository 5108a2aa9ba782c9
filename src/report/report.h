// SPDX-License-Identifier: Apache-2.0
// What happened: the report of a results file, in one of four formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/analysis/shown_cases.h"
#include "src/core/records/results.h"
#include "src/report/format/report_format.h"

namespace breakeven::report {

// Of the JSON: raised if a key goes or changes its meaning, or readers need a new one.
inline constexpr int report_version = 5;

inline constexpr std::string_view every_section = "all";
inline constexpr std::string_view how_to_print_more =
    "--sections NAME,NAME,... prints these sections in full, --sections all prints everything.";

struct ReportRequest {
  ReportFormat format = ReportFormat::text;
  // In text and markdown only these sections, in full, by the names that report_sections.h lists. None: a
  // brief report, which names what it leaves out. CSV and JSON are always whole.
  std::vector<std::string> sections = {};
  analysis::ShownCases shown = {};       // of text and markdown
  std::uint64_t memory_limit_bytes = 0;  // of a rank: which cases fit, and up to which batch; 0: not asked
  double price_an_hour = 0;              // of a GPU: what a million samples cost; 0: not asked
  std::string docs = "";                 // the address of the docs, which Markdown links; "": no links
};

std::string make_report(const Results& results, const ReportRequest& request);

}  // namespace breakeven::report
