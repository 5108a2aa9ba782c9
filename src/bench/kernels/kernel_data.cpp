// SPDX-License-Identifier: Apache-2.0
// Rows and summaries of kernels for machines.
#include <nlohmann/json.hpp>

#include "src/bench/kernels/kernel_report.h"
#include "src/report/columns.h"
#include "src/report/launch_json.h"
#include "src/report/roofline_json.h"
#include "src/report/tidy_row.h"

namespace breakeven {
namespace {

using Json = nlohmann::ordered_json;

Cell whole(std::int64_t value) { return exact(static_cast<std::uint64_t>(value)); }
Cell choice(int value) { return {std::to_string(value), std::int64_t{value}}; }  // below 0: by rule

// The reference stands under its own name: cuBLAS of a plain product, cuBLASLt of a fused one.
void add_reference(const KernelRow& row, const std::string& name, bool fused, TidyRow& tidy) {
  const bool has = row.candidate.fused == fused;
  const AgainstReference none;
  const AgainstReference& warm = has ? row.warm_reference : none;
  const AgainstReference& cold = has ? row.cold_reference : none;
  tidy.add(name + "_seconds", warm.seconds.median)
      .add("speedup_vs_" + name, warm.speedup)
      .add(name + "_cold_seconds", cold.seconds.median)
      .add("cold_speedup_vs_" + name, cold.speedup);
}

TidyRow tidy_row(const KernelRow& row) {
  const Candidate& candidate = row.candidate;
  TidyRow tidy;
  tidy.add("precision", Cell(info_of(candidate.precision).name))
      .add("gemm", Cell(name_of(candidate.variant.kernel)))
      .add("layout", Cell(name_of(row.task.layout)))
      .add("m", whole(row.task.shape.m))
      .add("n", whole(row.task.shape.n))
      .add("k", whole(row.task.shape.k))
      .add("epilogue", Cell(candidate.fused ? "bias_relu" : "none"))
      .add("square", exact(row.task.is_square))
      .add("right", exact(row.right))
      .add("error", row.error)
      .add("error_limit", row.error_limit)
      .add("seconds", row.warm.median)
      .add("seconds_low", row.warm.low)
      .add("seconds_high", row.warm.high)
      .add("cold_seconds", row.cold.median)
      .add("cold_seconds_low", row.cold.low)
      .add("cold_seconds_high", row.cold.high);
  add_reference(row, "cublas", false, tidy);
  add_reference(row, "cublaslt", true, tidy);
  tidy.add("flops_per_second", row.flops_per_second)
      .add("flops_share", row.flops_share)
      .add("limit_seconds", row.limit.seconds)
      .add("limited_by", Cell(row.limit.what))
      .add("limit_share", row.limit_share)
      .add("rounds", whole(static_cast<std::int64_t>(row.rounds)))
      .add("launches", whole(row.launches))
      .add("tile", choice(candidate.variant.tile))
      .add("parts", choice(candidate.variant.split_k));
  return tidy;
}

Json device_of(const Launch& launch) {
  const RankInfo& rank = launch.topology.ranks.at(0);
  return {{"host", rank.host},
          {"backend", rank.device.backend},
          {"name", rank.device.name},
          {"uuid", rank.device.uuid},
          {"multiprocessors", rank.device.multiprocessors},
          {"compute_capability", rank.device.compute_capability},
          {"memory_bytes", rank.device.memory_bytes}};
}

Json protocol_of(const KernelResults& results) {
  return {{"rounds", results.protocol.rounds},
          {"seed", results.protocol.seed},
          {"warm_series_seconds", results.sizes.warm_seconds},
          {"most_launches", results.sizes.most_launches},
          {"slow_launch_seconds", results.sizes.slow_launch_seconds},
          {"long_launch_seconds", results.sizes.long_launch_seconds},
          {"cold_bytes_read", results.sizes.cold_bytes}};
}

std::vector<KernelRow> rows_with(const std::vector<KernelRow>& rows, bool fused) {
  std::vector<KernelRow> some;
  for (const KernelRow& row : rows) {
    if (row.candidate.fused == fused) some.push_back(row);
  }
  return some;
}

DeclaredColumns product_columns() {
  return {columns::precision,
          columns::gemm,
          datum("layout", "", "which matrix is transposed"),
          datum("m", "", "rows of the product"),
          datum("n", "", "its columns"),
          datum("k", "", "length of the sums"),
          datum("epilogue", "", "`bias_relu` where they are fused"),
          datum("square", "", "whether of the large squares"),
          columns::right,
          columns::error,
          columns::error_limit,
          datum("seconds", "s", "of one warm launch: median, lowest, highest").with_interval(),
          datum("cold_seconds", "s", "the same with the operands in memory").with_interval(),
          datum("cublas_seconds", "s", "median launch"),
          datum("speedup_vs_cublas", "", "speed over its"),
          datum("cublas_cold_seconds", "s", "operands in memory"),
          datum("cold_speedup_vs_cublas", "", "speed over its"),
          datum("cublaslt_seconds", "s", "median launch"),
          datum("speedup_vs_cublaslt", "", "speed over its"),
          datum("cublaslt_cold_seconds", "s", "operands in memory"),
          datum("cold_speedup_vs_cublaslt", "", "speed over its"),
          columns::flops_per_second,
          columns::flops_share,
          columns::limit_seconds,
          columns::limited_by,
          datum("limit_share", "share", "limit / cold"),
          datum("rounds", "", "that were measured"),
          datum("launches", "", "of a round"),
          datum("tile", "", "variant of the kernel"),
          datum("parts", "", "into which k is split")};
}
const DeclaredTable declared_rows{
    {.command = "kernels", .json = "rows", .page = "kernels.md#the-numbers", .columns = product_columns()}};
const DeclaredTable declared_fused_rows{{.command = "kernels",
                                         .json = "fused_rows",
                                         .page = "kernels.md#the-numbers",
                                         .columns = product_columns()}};
const DeclaredTable declared_summaries{
    {.command = "kernels",
     .json = "summary",
     .page = "kernels.md#the-numbers",
     .columns = {columns::precision, columns::gemm, datum("epilogue", "", "`bias_relu` where they are fused"),
                 datum("reference", "", "cuBLAS, or cuBLASLt of fused rows"),
                 datum("products", "", "that were measured"),
                 datum("faster", "", "products faster than the reference"),
                 datum("wrong", "", "with an error over the limit"),
                 datum("speedup", "", "over the reference, geometric mean"),
                 datum("cold_speedup", "", "the same, operands in memory"),
                 datum("least_speedup", "", "over the reference")}}};
const DeclaredTable declared_device{
    {.command = "kernels",
     .json = "device",
     .page = "kernels.md#the-numbers",
     .columns = {columns::host, columns::backend, columns::name, columns::uuid, columns::multiprocessors,
                 datum("compute_capability", "", "of the GPU"), columns::memory_bytes}}};
const DeclaredTable declared_protocol{
    {.command = "kernels",
     .json = "protocol",
     .page = "kernels.md#the-numbers",
     .columns = {datum("rounds", "", "that were measured"), datum("seed", "", "of operands and order"),
                 datum("warm_series_seconds", "s", "length of a warm series"),
                 datum("most_launches", "", "of a warm series"),
                 datum("slow_launch_seconds", "s", "from which on fewer launches are made"),
                 datum("long_launch_seconds", "s", "from which on one launch is made"),
                 datum("cold_bytes_read", "bytes", "of other memory before a cold launch")}}};
const DeclaredTable declared_ceilings{
    {.command = "kernels", .json = "ceilings", .page = "report.md#roofline", .columns = roofline_columns()}};
const DeclaredTable declared_whole{
    {.command = "kernels",
     .page = "kernels.md#the-numbers",
     .columns = joined(
         {launch_columns(),
          {datum("device", "", "the GPU"), datum("protocol", "", "how it was measured"),
           datum("ceilings", "", "the machine's best rates"), datum("summary", "", "by kernel"),
           datum("rows", "", "plain products"), datum("fused_rows", "", "products with bias and ReLU")}})}};

}  // namespace

ReportTable tidy_rows(const std::vector<KernelRow>& rows) {
  ReportTable table = declared_rows.empty();
  for (const KernelRow& row : rows) append(tidy_row(row), table);
  return table;
}

ReportTable tidy_summaries(const std::vector<KernelRow>& rows) {
  ReportTable table = declared_summaries.empty();
  for (const KernelSummary& summary : summarize_kernels(rows)) {
    TidyRow tidy;
    tidy.add("precision", Cell(info_of(summary.precision).name))
        .add("gemm", Cell(name_of(summary.kernel)))
        .add("epilogue", Cell(summary.fused ? "bias_relu" : "none"))
        .add("reference", Cell(summary.fused ? "cublaslt" : "cublas"))
        .add("products", whole(static_cast<std::int64_t>(summary.products)))
        .add("faster", whole(static_cast<std::int64_t>(summary.faster)))
        .add("wrong", whole(static_cast<std::int64_t>(summary.wrong)))
        .add("speedup", summary.speedup)
        .add("cold_speedup", summary.cold_speedup)
        .add("least_speedup", summary.least_speedup);
    append(std::move(tidy), table);
  }
  return table;
}

std::string kernel_json(const KernelResults& results) {
  const Launch& launch = results.launch;
  Json report{{"format", "breakeven kernels"}, {"version", kernels_version}};
  report.update(launch_as_json(launch));
  report["device"] = device_of(launch);
  report["protocol"] = protocol_of(results);
  report["ceilings"] = roofline_as_json(launch.roofline.at(0));
  report["summary"] = render_json(tidy_summaries(results.rows));
  report["rows"] = render_json(tidy_rows(rows_with(results.rows, false)));
  report["fused_rows"] = render_json(tidy_rows(rows_with(results.rows, true)));
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace breakeven
