// SPDX-License-Identifier: Apache-2.0
// `breakeven kernels`: every product of the models' steps, in every precision, by every kernel; and the table
// of the fastest.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "kernels/gemm_table.h"
#include "kernels/telemetry.h"
#include "mpi/open_device.h"
#include "src/bench/kernels/kernel_options.h"
#include "src/bench/kernels/kernel_report.h"
#include "src/bench/kernels/tuner.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/core/terminate.h"
#include "src/measure/progress.h"
#include "src/measure/provenance.h"
#include "src/measure/roofline/measure_roofline.h"
#include "src/report/machine.h"

namespace breakeven {
namespace {

ExitCode refuse(const Session& session, const std::string& sentence) {
  if (session.is_root()) fmt::print(stderr, "breakeven: {}\n", sentence);
  return ExitCode::usage;
}

bool has_kernel(const Device& device, Precision precision, GemmKernel kernel) {
  const auto kernels = device.gemm_kernels(precision);
  return std::find(kernels.begin(), kernels.end(), kernel) != kernels.end();
}

// A kernel by name that the device has in none of the precisions; "" where there is none such.
std::string unknown_kernel(const KernelOptions& options, const Device& device) {
  for (const GemmKernel kernel : options.kernels) {
    const bool known =
        std::any_of(options.precisions.begin(), options.precisions.end(),
                    [&](Precision precision) { return has_kernel(device, precision, kernel); });
    if (!known) {
      return fmt::format("--gemm '{}' is not available on {} in these precisions", name_of(kernel),
                         device.info().name);
    }
  }
  return "";
}

void add_candidate(const Candidate& candidate, const Device& device, std::vector<Candidate>& candidates) {
  const bool known = std::find(candidates.begin(), candidates.end(), candidate) != candidates.end();
  if (!known && has_kernel(device, candidate.precision, candidate.variant.kernel))
    candidates.push_back(candidate);
}

// The wanted kernels with their references, which are measured in the same rounds whether asked for or not.
std::vector<Candidate> candidates_for(const GemmTask& task, const KernelOptions& options,
                                      const Device& device) {
  std::vector<Candidate> candidates;
  for (const bool fused : {false, true}) {
    if (fused && (task.layout != GemmLayout::nt || task.is_square)) continue;
    for (const Precision precision : options.precisions) {
      for (const GemmKernel kernel : device.gemm_kernels(precision)) {
        const bool wanted =
            options.kernels.empty() ||
            std::find(options.kernels.begin(), options.kernels.end(), kernel) != options.kernels.end();
        const Candidate candidate{precision, {.kernel = kernel}, fused};
        if (!wanted) continue;
        add_candidate(candidate, device, candidates);
        add_candidate(reference_of(candidate), device, candidates);
      }
    }
  }
  return candidates;
}

Launch describe(int argc, char** argv, const KernelOptions& options, const Session& session, Device& device) {
  const GpuMonitor monitor(device.info().uuid);
  Launch launch = describe_launch(argc, argv, settings_of(options), monitor.driver_version());
  launch.topology.ranks.push_back({session.host(), device.info()});
  launch.topology.links.push_back({.kind = "self"});
  return launch;
}

std::vector<KernelRow> compare(const KernelOptions& options, Device& device, Stream& stream,
                               const Roofline& roofline) {
  TaskBench bench(device, stream, options.protocol);
  std::vector<KernelRow> rows;
  Progress progress(options.tasks.size(), "product");
  for (std::size_t i = 0; i < options.tasks.size(); ++i) {
    const GemmTask& task = options.tasks[i];
    report_activity_as("measuring " + label_of(task));
    progress.start(i, label_of(task));
    const auto measured = bench.measure(task, candidates_for(task, options, device), options.protocol.rounds);
    const std::vector<KernelRow> of_task = make_rows(task, measured, roofline);
    rows.insert(rows.end(), of_task.begin(), of_task.end());
  }
  progress.finish();
  return rows;
}

GemmTable tune_all(const KernelOptions& options, Device& device, Stream& stream) {
  TaskBench bench(device, stream, options.protocol);
  std::vector<GemmTableRow> rows;
  Progress progress(options.tasks.size(), "product");
  for (std::size_t i = 0; i < options.tasks.size(); ++i) {
    const GemmTask& task = options.tasks[i];
    report_activity_as("tuning " + label_of(task));
    progress.start(i, label_of(task));
    const auto of_task = tune(device, bench, task, options.precisions, options.protocol.rounds);
    rows.insert(rows.end(), of_task.begin(), of_task.end());
  }
  progress.finish();
  return GemmTable(std::move(rows));
}

ExitCode write_table(const GemmTable& table, const KernelOptions& options, const Launch& launch) {
  const std::string header = fmt::format(
      "The fastest of the project's kernels for each product, measured (docs/kernels.md).\n"
      "machine:  {}\ncommand:  {}\nrevision: {}\nstarted:  {}",
      machine_name(launch.topology), launch.command_line, launch.git_revision, launch.started);
  write_text(format_gemm_table(table, header), options.tune, "the table of products");
  const std::size_t expected = options.tasks.size() * options.precisions.size();
  fmt::print("{}: {} of {} products\n", options.tune, table.rows().size(), expected);
  return table.rows().size() == expected ? ExitCode::success : ExitCode::wrong_numbers;
}

ExitCode compare_and_report(const KernelOptions& options, Launch launch, Device& device, Stream& stream) {
  report_activity_as("measuring the roofline");
  launch.roofline = {measure_roofline(device, options.precisions)};
  KernelResults results{std::move(launch), options.protocol, bench_sizes(device.info()), {}};
  results.rows = compare(options, device, stream, results.launch.roofline.front());
  if (!options.output.empty())
    write_text(kernel_report(results, ReportFormat::json), options.output, "the kernels' results");
  write_text(kernel_report(results, options.format), "", "the report");
  const bool all_right =
      std::all_of(results.rows.begin(), results.rows.end(), [](const KernelRow& row) { return row.right; });
  return all_right ? ExitCode::success : ExitCode::wrong_numbers;
}

}  // namespace

ExitCode kernels_command(int argc, char** argv) {
  const Session session(&argc, &argv);
  const auto parsed = parse_kernel_options(argc, argv);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return refuse(session, error->sentence);
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    if (session.is_root()) fmt::print("{}", help->text);
    return ExitCode::success;
  }
  const auto& options = std::get<KernelOptions>(parsed);
  if (session.size() > 1)
    return refuse(session, "kernels measures one device. Run it on one rank: breakeven kernels");
  const auto device = open_device(session, options.backend, false);
  if (device == nullptr) return ExitCode::environment;  // rank 0 has said why
  const std::string unknown = unknown_kernel(options, *device);
  if (!unknown.empty()) return refuse(session, unknown);
  if (!options.gemm_table.empty()) device->use_gemm_table(read_gemm_table(options.gemm_table));
  const auto stream = device->make_stream();
  Launch launch = describe(argc, argv, options, session, *device);
  if (!options.tune.empty()) return write_table(tune_all(options, *device, *stream), options, launch);
  return compare_and_report(options, std::move(launch), *device, *stream);
}

}  // namespace breakeven
