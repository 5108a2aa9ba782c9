// SPDX-License-Identifier: Apache-2.0
// Rows and summaries of kernels for machines.
#include <nlohmann/json.hpp>

#include "src/bench/kernels/kernel_report.h"
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

}  // namespace

ReportTable tidy_rows(const std::vector<KernelRow>& rows) {
  ReportTable table;
  for (const KernelRow& row : rows) append(tidy_row(row), table);
  return table;
}

ReportTable tidy_summaries(const std::vector<KernelRow>& rows) {
  ReportTable table;
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
