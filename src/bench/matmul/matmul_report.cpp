// SPDX-License-Identifier: Apache-2.0
#include "src/bench/matmul/matmul_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/report/sections/sections.h"
#include "src/report/words/launch_facts.h"
#include "src/report/words/machine.h"

namespace breakeven::bench {
namespace {

std::string how_measured(const MatmulResults& results) {
  return fmt::format(
      "C = A B with square matrices; B is stored transposed. {} repeats, each with all cases of a size in a "
      "new random order. Before each timed product: {} warm-up products of the same form, and cleared "
      "buffers. Times are those of the slowest rank; 95 % intervals: within one launch. Speed-up: against "
      "one device with the same kernel, "
      "paired by repeat, geometric mean. Root to root: distributing the operands and collecting the product "
      "are timed; in place: neither is. Pays: the whole 95 % interval is above {:.2f} at this size and at "
      "every larger one measured; nothing is interpolated. Error: relative Frobenius norm of all of C "
      "against one device, every repeat. library and summa communicate over {}, naive and overlapped through "
      "host memory.",
      results.protocol.repeats, results.protocol.warmup, 1 + statistics::practical_equivalence,
      name_of(results.transport));
}

report::Document document(const MatmulResults& results) {
  report::Document document;
  document.heading(1, "Matrix products on " + report::machine_name(results.launch.topology));
  document.paragraph(how_measured(results));
  const auto wrong = std::count_if(results.rows.begin(), results.rows.end(),
                                   [](const MatmulRow& row) { return !row.right; });
  if (wrong > 0) document.paragraph(fmt::format("WRONG: {} of {} rows.", wrong, results.rows.size()));
  const report::ReportTable break_evens = break_even_table(results.rows);
  if (break_evens.rows.empty())
    document.paragraph("Only one GPU was measured. To compare, run with mpirun -np 2.");
  document.table(break_evens);
  for (const PrecisionInfo& info : precisions) {
    report::ReportTable speeds = form_speed_table(results.rows, info.precision);
    if (speeds.rows.empty()) continue;
    document.heading(2, std::string(info.name));
    document.table(std::move(speeds));
    document.table(form_parts_table(results.rows, info.precision));
  }
  document.table(counted_table(results.rows));
  for (const FormInfo& form : matmul_forms()) {
    const bool used = std::any_of(results.rows.begin(), results.rows.end(),
                                  [&](const MatmulRow& row) { return row.what.form == &form; });
    if (used) document.item(fmt::format("{}: {}.", form.name, form.how));
  }
  const std::string links = report::links_in_words(results.launch.topology);
  if (!links.empty()) document.item("Links: " + links);
  report::add_launch_items(results.launch, document);
  return document;
}

}  // namespace

std::string matmul_report(const MatmulResults& results, report::ReportFormat format) {
  return report::print({.whole = matmul_whole(),
                        .document = [&] { return document(results); },
                        .rows = [&] { return tidy_forms(results.rows); },
                        .json = [&] { return matmul_json(results); }},
                       format);
}

}  // namespace breakeven::bench
