// SPDX-License-Identifier: Apache-2.0
// What `kernels` prints and writes. docs/kernels.md explains every column.
#pragma once

#include <string>
#include <vector>

#include "src/bench/kernels/kernel_rows.h"
#include "src/core/records/results.h"
#include "src/report/format/report_format.h"

namespace breakeven::bench {

inline constexpr int kernels_version = 1;  // of the JSON: raised where a key changes its meaning or goes

struct KernelResults {
  Launch launch;  // of one rank, with its roofline
  BenchProtocol protocol;
  BenchSizes sizes;
  std::vector<KernelRow> rows;
};

std::string kernel_report(const KernelResults& results, report::ReportFormat format);

// kernel_tables.cpp: for people. Without a reference the columns beside it are left out.
bool has_reference(const std::vector<KernelRow>& rows);
report::ReportTable summary_table(const std::vector<KernelRow>& rows, bool fused);
report::ReportTable squares_table(const std::vector<KernelRow>& rows);
report::ReportTable product_table(const std::vector<KernelRow>& rows, Precision precision);

// kernel_data.cpp: for machines, in SI units.
report::ReportTable tidy_rows(const std::vector<KernelRow>& rows);
report::ReportTable tidy_summaries(const std::vector<KernelRow>& rows);
const report::DeclaredTable& kernel_whole();
nlohmann::ordered_json kernel_json(const KernelResults& results);

}  // namespace breakeven::bench
