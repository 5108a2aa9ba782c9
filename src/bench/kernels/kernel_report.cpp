// SPDX-License-Identifier: Apache-2.0
#include "src/bench/kernels/kernel_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/report/format/numbers.h"
#include "src/report/sections/roofline.h"
#include "src/report/words/launch_facts.h"
#include "src/report/words/machine.h"

namespace breakeven::bench {
namespace {

std::string how_measured(const KernelResults& results) {
  return fmt::format(
      "Speeds are medians of {} rounds; ± is half the range. Each round runs the kernels in random order on "
      "new random operands. Warm: up to {} launches on the same operands in one graph, so that gaps between "
      "launches do not count. Cold: {} of other memory are read first, and each launch has its own operands. "
      "Error: relative Frobenius norm against float64 on sampled elements. A kernel over its error limit is "
      "marked WRONG and has no speed.",
      results.protocol.rounds, results.sizes.most_launches,
      report::format_bytes(static_cast<double>(results.sizes.cold_bytes)));
}

std::size_t wrong_rows(const std::vector<KernelRow>& rows) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const KernelRow& row) { return !row.right; }));
}

report::Document document(const KernelResults& results) {
  report::Document document;
  document.heading(1, "Kernels on " + report::machine_name(results.launch.topology));
  document.paragraph(how_measured(results));
  if (!has_reference(results.rows)) {
    document.paragraph(
        "cuBLAS was not measured (not requested, or not available on this device), so its columns are left "
        "out.");
  }
  const std::size_t wrong = wrong_rows(results.rows);
  if (wrong > 0) document.paragraph(fmt::format("WRONG: {} of {} rows.", wrong, results.rows.size()));
  document.table(summary_table(results.rows, false));
  document.table(summary_table(results.rows, true));
  document.table(squares_table(results.rows));
  for (const PrecisionInfo& info : precisions) {
    report::ReportTable table = product_table(results.rows, info.precision);
    if (table.rows.empty()) continue;
    document.heading(2, std::string(info.name));
    document.table(std::move(table));
  }
  document.item("Roofline: " + report::roofline_in_words(results.launch));
  report::add_launch_items(results.launch, document);
  return document;
}

}  // namespace

std::string kernel_report(const KernelResults& results, report::ReportFormat format) {
  return report::print({.whole = kernel_whole(),
                        .document = [&] { return document(results); },
                        .rows = [&] { return tidy_rows(results.rows); },
                        .json = [&] { return kernel_json(results); }},
                       format);
}

}  // namespace breakeven::bench
