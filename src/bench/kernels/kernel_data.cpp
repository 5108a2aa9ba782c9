// SPDX-License-Identifier: Apache-2.0
// Rows and summaries of kernels for machines.
#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "src/bench/kernels/kernel_report.h"
#include "src/report/format/columns.h"
#include "src/report/sections/roofline.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/words/launch_facts.h"

namespace breakeven::bench {
namespace {

namespace columns = report::columns;
using report::datum;
using report::number;

using Json = nlohmann::ordered_json;

constexpr std::string_view page_of_kernels = "kernels.md#the-numbers";

const report::DeclaredColumn epilogue = datum("epilogue", "", "`bias_relu` where they are fused");

statistics::Interval range_of(const Spread& time) { return {time.median, time.low, time.high, 0}; }

// The reference stands under its own name: cuBLAS of a plain product, cuBLASLt of a fused one.
report::TidyPart<KernelRow> reference_part(const std::string& name, bool fused) {
  return {report::DeclaredColumns{datum(name + "_seconds", "s", "median launch"),
                                  number("speedup_vs_" + name, "", "", "speed over its"),
                                  datum(name + "_cold_seconds", "s", "operands in memory"),
                                  number("cold_speedup_vs_" + name, "", "", "speed over its")},
          [=](const KernelRow& row, report::TidyRow& tidy) {
            const bool has = row.candidate.fused == fused;
            const AgainstReference warm = has ? row.warm_reference : AgainstReference{};
            const AgainstReference cold = has ? row.cold_reference : AgainstReference{};
            tidy.add(name + "_seconds", warm.seconds.median)
                .add("speedup_vs_" + name, warm.speedup)
                .add(name + "_cold_seconds", cold.seconds.median)
                .add("cold_speedup_vs_" + name, cold.speedup);
          }};
}

std::vector<report::TidyPart<KernelRow>> product_parts() {
  return {
      {columns::precision, [](auto& row) { return info_of(row.candidate.precision).name; }},
      {columns::gemm, [](auto& row) { return name_of(row.candidate.variant.kernel); }},
      {datum("layout", "", "which matrix is transposed"), [](auto& row) { return name_of(row.task.layout); }},
      {datum("m", "", "rows of the product"), [](auto& row) { return row.task.shape.m; }},
      {datum("n", "", "its columns"), [](auto& row) { return row.task.shape.n; }},
      {datum("k", "", "length of the sums"), [](auto& row) { return row.task.shape.k; }},
      {epilogue, [](auto& row) { return row.candidate.fused ? "bias_relu" : "none"; }},
      {datum("square", "", "whether of the large squares"), [](auto& row) { return row.task.is_square; }},
      {columns::right, [](auto& row) { return row.right; }},
      {columns::error, [](auto& row) { return row.error; }},
      {columns::error_limit, [](auto& row) { return row.error_limit; }},
      {datum("seconds", "s", "of one warm launch: median, lowest, highest"),
       [](auto& row) { return range_of(row.warm); }},
      {datum("cold_seconds", "s", "the same with the operands in memory"),
       [](auto& row) { return range_of(row.cold); }},
      reference_part("cublas", false),
      reference_part("cublaslt", true),
      {columns::flops_per_second, [](auto& row) { return row.flops_per_second; }},
      {columns::flops_share, [](auto& row) { return row.flops_share; }},
      {datum("limit_seconds", "s", "shortest that the device allows"),
       [](auto& row) { return row.limit.seconds; }},
      {columns::limited_by, [](auto& row) { return row.limit.what; }},
      {datum("limit_share", "share", "limit / cold"), [](auto& row) { return row.limit_share; }},
      {datum("rounds", "", "that were measured"), [](auto& row) { return row.rounds; }},
      {datum("launches", "", "of a round"), [](auto& row) { return row.launches; }},
      // Below 0: by rule.
      {datum("tile", "", "variant of the kernel"), [](auto& row) { return row.candidate.variant.tile; }},
      {datum("parts", "", "split-k: parts into which k is split"),
       [](auto& row) { return row.candidate.variant.split_k; }},
  };
}

const report::TidyTable<KernelRow> product_rows(
    {.command = "kernels", .json = "rows", .page = page_of_kernels}, product_parts());
const report::TidyTable<KernelRow> fused_rows(
    {.command = "kernels", .json = "fused_rows", .page = page_of_kernels}, product_parts());
const report::TidyTable<KernelSummary> summary_rows(
    {.command = "kernels", .json = "summary", .page = page_of_kernels},
    {{columns::precision, [](auto& one) { return info_of(one.precision).name; }},
     {columns::gemm, [](auto& one) { return name_of(one.kernel); }},
     {epilogue, [](auto& one) { return one.fused ? "bias_relu" : "none"; }},
     {datum("reference", "", "cuBLAS, or cuBLASLt of fused rows"),
      [](auto& one) { return one.fused ? "cublaslt" : "cublas"; }},
     {datum("products", "", "that were measured"), [](auto& one) { return one.products; }},
     {datum("faster", "", "products faster than the reference"), [](auto& one) { return one.faster; }},
     {datum("wrong", "", "with an error over the limit"), [](auto& one) { return one.wrong; }},
     {datum("speedup", "", "over the reference, geometric mean"), [](auto& one) { return one.speedup; }},
     {datum("cold_speedup", "", "the same, operands in memory"), [](auto& one) { return one.cold_speedup; }},
     {datum("least_speedup", "", "over the reference"), [](auto& one) { return one.least_speedup; }}});
const report::TidyTable<RankInfo> device_row(
    {.command = "kernels", .json = "device", .page = page_of_kernels, .is_one = true},
    {{columns::host, [](auto& rank) { return rank.host; }},
     {columns::backend, [](auto& rank) { return rank.device.backend; }},
     {columns::name, [](auto& rank) { return rank.device.name; }},
     {columns::uuid, [](auto& rank) { return rank.device.uuid; }},
     {columns::multiprocessors, [](auto& rank) { return rank.device.multiprocessors; }},
     {datum("compute_capability", "", "of the GPU"),
      [](auto& rank) { return rank.device.compute_capability; }},
     {columns::memory_bytes, [](auto& rank) { return rank.device.memory_bytes; }}});
const report::TidyTable<KernelResults> protocol_row(
    {.command = "kernels", .json = "protocol", .page = page_of_kernels, .is_one = true},
    {{datum("rounds", "", "that were measured"), [](auto& results) { return results.protocol.rounds; }},
     {datum("seed", "", "of operands and order"), [](auto& results) { return results.protocol.seed; }},
     {datum("warm_series_seconds", "s", "length of a warm series"),
      [](auto& results) { return results.sizes.warm_seconds; }},
     {datum("most_launches", "", "of a warm series"),
      [](auto& results) { return results.sizes.most_launches; }},
     {datum("slow_launch_seconds", "s", "from which on fewer launches are made"),
      [](auto& results) { return results.sizes.slow_launch_seconds; }},
     {datum("long_launch_seconds", "s", "from which on one launch is made"),
      [](auto& results) { return results.sizes.long_launch_seconds; }},
     {datum("cold_bytes_read", "bytes", "of other memory before a cold launch"),
      [](auto& results) { return results.sizes.cold_bytes; }}});
const report::DeclaredTable declared_roofline{{.command = "kernels",
                                               .json = "roofline",
                                               .page = "report.md#roofline",
                                               .is_one = true,
                                               .columns = report::roofline_columns()}};
const report::DeclaredTable declared_kernels{
    {.command = "kernels",
     .page = page_of_kernels,
     .format = "breakeven kernels",
     .version = kernels_version,
     .columns = report::joined(
         {{columns::format, columns::version},
          report::launch_columns(),
          {datum("device", "", "the GPU"), datum("protocol", "", "how it was measured"),
           datum("roofline", "", "measured peak rates"), datum("summary", "", "by kernel"),
           datum("rows", "", "plain products"), datum("fused_rows", "", "products with bias and ReLU")}})}};

std::vector<KernelRow> rows_with(const std::vector<KernelRow>& rows, bool fused) {
  std::vector<KernelRow> some;
  std::ranges::copy_if(rows, std::back_inserter(some),
                       [=](const KernelRow& row) { return row.candidate.fused == fused; });
  return some;
}

}  // namespace

const report::DeclaredTable& kernel_whole() { return declared_kernels; }

report::ReportTable tidy_rows(const std::vector<KernelRow>& rows) { return product_rows.of(rows); }

report::ReportTable tidy_summaries(const std::vector<KernelRow>& rows) {
  return summary_rows.of(summarize_kernels(rows));
}

Json kernel_json(const KernelResults& results) {
  const Launch& launch = results.launch;
  Json report = report::launch_as_json(launch);
  report["device"] = report::render_json(device_row.of({launch.topology.ranks.at(0)})).front();
  report["protocol"] = report::render_json(protocol_row.of({results})).front();
  report["roofline"] = report::roofline_as_json(launch.roofline.at(0));
  report["summary"] = report::render_json(tidy_summaries(results.rows));
  report["rows"] = report::render_json(product_rows.of(rows_with(results.rows, false)));
  report["fused_rows"] = report::render_json(fused_rows.of(rows_with(results.rows, true)));
  return report;
}

}  // namespace breakeven::bench
