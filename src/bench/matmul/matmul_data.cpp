// SPDX-License-Identifier: Apache-2.0
// Rows of forms for machines.
#include <nlohmann/json.hpp>

#include "src/bench/matmul/matmul_report.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/words/launch_facts.h"
#include "src/report/words/machine.h"

namespace breakeven::bench {
namespace {

namespace columns = report::columns;
using report::datum;
using report::number;
using report::words;

using Json = nlohmann::ordered_json;

constexpr std::string_view page_of_matmul = "matmul.md#how-it-is-measured";

const report::DeclaredColumn form = datum("form", "", "how the ranks share the product");
const report::DeclaredColumn counted = datum("counted", "", "root to root, or in place");

report::DeclaredColumns seconds_of_parts() {
  report::DeclaredColumns columns;
  for (std::size_t part = 0; part < part_names.size(); ++part)
    columns.push_back(datum(std::string(part_names[part]) + "_seconds", "s", part_meanings[part]));
  return columns;
}

void add_parts(const MatmulRow& row, report::TidyRow& tidy) {
  for (std::size_t part = 0; part < row.parts.size(); ++part)
    tidy.add(std::string(part_names[part]) + "_seconds", row.parts[part]);
}

const report::TidyTable<MatmulRow> form_rows(
    {.command = "matmul", .json = "rows", .page = page_of_matmul},
    {{datum("size", "", "rows of the square matrices"), [](auto& row) { return row.what.size; }},
     {form, [](auto& row) { return row.what.form->name; }},
     {counted, [](auto& row) { return word_of(row.what.form->counted); }},
     {columns::gpus, [](auto& row) { return row.what.gpus; }},
     {columns::precision, [](auto& row) { return info_of(row.what.precision).name; }},
     {columns::gemm, [](auto& row) { return name_of(row.what.kernel); }},
     {datum("repeats", "", "that were measured"), [](auto& row) { return row.repeats; }},
     {columns::right, [](auto& row) { return row.right; }},
     {columns::error, [](auto& row) { return row.error; }},
     {columns::error_limit, [](auto& row) { return row.error_limit; }},
     {datum("median_seconds", "s", "over repeats"), [](auto& row) { return row.median_seconds; }},
     {datum("mean_seconds", "s", "over repeats, of the slowest rank"), [](auto& row) { return row.seconds; }},
     {columns::flops_per_second, [](auto& row) { return row.flops_per_second; }},
     {seconds_of_parts(), add_parts},
     {datum("speedup", "", "over one device, paired by repeat"), [](auto& row) { return row.speedup.ratio; }},
     {columns::verdict, [](auto& row) {
        const statistics::Payoff verdict = row.decision.verdict;
        return verdict == statistics::Payoff::not_measured ? report::dash_cell()
                                                           : report::Cell(word_of(verdict));
      }}});
const report::TidyTable<MatmulBreakEven> break_even_rows(
    {.command = "matmul", .json = "break_even", .page = page_of_matmul},
    {{form, [](auto& found) { return found.form->name; }},
     {counted, [](auto& found) { return word_of(found.form->counted); }},
     {columns::gpus, [](auto& found) { return found.gpus; }},
     {columns::precision, [](auto& found) { return info_of(found.precision).name; }},
     {columns::gemm, [](auto& found) { return name_of(found.kernel); }},
     {number("break_even_size", "", "", "smallest measured size from which it pays"),
      [](auto& found) { return found.size ? report::count_cell(*found.size) : report::dash_cell(); }},
     {datum("smallest_measured", "", "size"), [](auto& found) { return found.smallest; }},
     {datum("largest_measured", "", "size"), [](auto& found) { return found.largest; }},
     {datum("largest_speedup", "", "of the measured sizes"),
      [](auto& found) { return found.largest_speedup; }}});
const report::TidyTable<MatmulResults> matmul_protocol_row(
    {.command = "matmul", .json = "protocol", .page = page_of_matmul, .is_one = true},
    {{datum("repeats", "", "that were measured"), [](auto& results) { return results.protocol.repeats; }},
     {datum("warmup", "", "products before each timed one"),
      [](auto& results) { return results.protocol.warmup; }},
     {datum("chunks", "", "of the overlapped form"), [](auto& results) { return results.protocol.chunks; }},
     {datum("seed", "", "of the operands"), [](auto& results) { return results.protocol.seed; }},
     {columns::transport, [](auto& results) { return name_of(results.transport); }}});
const report::DeclaredTable declared_matmul{
    {.command = "matmul",
     .page = page_of_matmul,
     .format = "breakeven matmul",
     .version = matmul_version,
     .columns =
         report::joined({{columns::format, columns::version},
                         report::launch_columns(),
                         {words("links", "", "their bandwidth and latency, in words"),
                          datum("protocol", "", "how it was measured"), datum("break_even", "", "by form"),
                          datum("rows", "", "by size and form")}})}};

}  // namespace

const report::DeclaredTable& matmul_whole() { return declared_matmul; }

report::ReportTable tidy_forms(const std::vector<MatmulRow>& rows) { return form_rows.of(rows); }

Json matmul_json(const MatmulResults& results) {
  Json report = report::launch_as_json(results.launch);
  report["links"] = report::links_in_words(results.launch.topology);
  report["protocol"] = report::render_json(matmul_protocol_row.of({results})).front();
  report["break_even"] = report::render_json(break_even_rows.of(find_break_evens(results.rows)));
  report["rows"] = report::render_json(tidy_forms(results.rows));
  return report;
}

}  // namespace breakeven::bench
