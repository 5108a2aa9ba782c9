// SPDX-License-Identifier: Apache-2.0
// The tables of a kernel trace that programs read.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "src/report/format/declared_table.h"
#include "src/report/trace/waterfall_report.h"

namespace breakeven::report {

std::string size_in_words(const std::array<std::uint32_t, 3>& size);  // "128x6x1"

// Columns of what a machine without a GPU cannot print.
DeclaredColumns all_elsewhere(DeclaredColumns columns);

ReportTable rank_rows(const KernelTrace& trace);
ReportTable sum_rows(const KernelTrace& trace);   // of the median steps
ReportTable node_rows(const KernelTrace& trace);  // of all steps

}  // namespace breakeven::report
