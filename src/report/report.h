// SPDX-License-Identifier: Apache-2.0
// What happened: the whole report of a results file, in one of four formats.
#pragma once

#include <cstdint>
#include <string>

#include "src/record/results.h"

namespace breakeven {

enum class ReportFormat { text, markdown, csv, json };

enum class ReportExtent {
  full,
  summary,  // of text and markdown: the sentences, the tables of speed and the provenance
};

inline constexpr int report_version = 2;  // of the JSON: raised where a key changes its meaning or goes

// `memory_limit_bytes`, of a rank: where it is not 0 the report says which cases fit, and up to which batch.
std::string make_report(const Results& results, ReportFormat format, ReportExtent extent,
                        std::uint64_t memory_limit_bytes = 0);

}  // namespace breakeven
