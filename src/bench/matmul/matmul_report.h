// SPDX-License-Identifier: Apache-2.0
// What `matmul` prints and writes. docs/matmul.md explains every column.
#pragma once

#include <string>
#include <vector>

#include "src/bench/matmul/matmul_rows.h"
#include "src/core/records/results.h"
#include "src/report/format/report_format.h"

namespace breakeven::bench {

inline constexpr int matmul_version = 1;  // of the JSON: raised where a key changes its meaning or goes

struct MatmulResults {
  Launch launch;
  MatmulProtocol protocol;
  Transport transport = Transport::none;  // of library and summa
  std::vector<MatmulRow> rows;
};

std::string matmul_report(const MatmulResults& results, report::ReportFormat format);

// matmul_tables.cpp: for people.
report::ReportTable break_even_table(const std::vector<MatmulRow>& rows);
report::ReportTable form_speed_table(const std::vector<MatmulRow>& rows, Precision precision);
report::ReportTable form_parts_table(const std::vector<MatmulRow>& rows, Precision precision);
report::ReportTable counted_table(const std::vector<MatmulRow>& rows);
std::string break_even_in_words(const MatmulBreakEven& found);

// matmul_data.cpp: for machines, in SI units.
report::ReportTable tidy_forms(const std::vector<MatmulRow>& rows);
const report::DeclaredTable& matmul_whole();
nlohmann::ordered_json matmul_json(const MatmulResults& results);

}  // namespace breakeven::bench
