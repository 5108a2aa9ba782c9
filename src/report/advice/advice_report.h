// SPDX-License-Identifier: Apache-2.0
// `breakeven advise`: which configuration trains a model fastest, why, how sure, and what would change the
// answer; as text, Markdown, CSV (the configurations alone) or JSON. docs/advise.md has every number.
#pragma once

#include <string>
#include <vector>

#include "src/report/advice/advice_costs.h"
#include "src/report/format/report_format.h"

namespace breakeven::report {

struct AdviceRequest {
  predict::Query query;
  Costs costs;
  // As those of a report: in text and markdown only these, in full; none: a brief advice.
  std::vector<std::string> sections = {};
  bool with_map = false;  // speed-ups over sizes and batches too, in JSON
  std::string docs = "";  // the address of the docs, which Markdown links; "": no links
};

std::vector<std::string> advice_section_names();
std::vector<std::string> described_advice_sections();

// Throws Failure(file) where nothing can be predicted, and Failure(usage) for more GPUs than were measured.
std::string make_advice_report(const analysis::FileAnalysis& analysis, const AdviceRequest& request,
                               ReportFormat format);

}  // namespace breakeven::report
