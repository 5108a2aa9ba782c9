// SPDX-License-Identifier: Apache-2.0
// The report as JSON, for programs: everything that was computed, whatever a report for people shows of it.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "src/analysis/file_analysis.h"
#include "src/report/format/declared_table.h"

namespace breakeven::report {

// Behind "format" and "version". What was not measured is null.
nlohmann::ordered_json json_report(const analysis::FileAnalysis& analysis);

const DeclaredTable& whole_report();

// The columns of a declaration with what only this JSON adds to them: keys of the tables of src/report/tables
// in the whole, and the group's axes in the rows of groups.
DeclaredColumns json_columns(const TableDeclaration& one);

// The words that its readers need (vocabulary.cpp).
nlohmann::ordered_json json_vocabulary(const std::string& phases_not_recorded);

}  // namespace breakeven::report
