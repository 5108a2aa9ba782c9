// SPDX-License-Identifier: Apache-2.0
#include "src/report/format/table_section.h"

#include <fmt/format.h>

#include "src/report/words/interval_scopes.h"

namespace breakeven::report {

ReportTable TableSection::filled(const analysis::FileAnalysis& analysis, const analysis::Group& group) const {
  ReportTable all = table.empty();
  all.title = fmt::format(fmt::runtime(all.title), in_brackets(scopes_of_steps(group)));
  all.rows = rows(analysis, group);
  return all;
}

const std::vector<const TableSection*>& table_sections() {
  static const std::vector<const TableSection*> sections{
#define REPORT_TABLE(name) &name##_section,
#include "report_tables.inc"
#undef REPORT_TABLE
  };
  return sections;
}

}  // namespace breakeven::report
