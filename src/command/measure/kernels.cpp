// SPDX-License-Identifier: Apache-2.0
// `breakeven kernels`: times every matrix product of the models' steps in every precision with every kernel,
// or writes a table of the fastest kernels.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "kernels/gemm_table.h"
#include "kernels/telemetry.h"
#include "mpi/watchdog.h"
#include "src/bench/kernels/kernel_options.h"
#include "src/bench/kernels/kernel_report.h"
#include "src/bench/kernels/tuner.h"
#include "src/command/answer/file_command.h"
#include "src/command/command.h"
#include "src/command/measure/with_session.h"
#include "src/core/terminate.h"
#include "src/core/text/output.h"
#include "src/measure/progress.h"
#include "src/measure/recorded_environment.h"
#include "src/measure/roofline/measure_roofline.h"
#include "src/report/words/machine.h"

namespace breakeven::command {
namespace {

bool computes_a_layout(const Device& device, Precision precision, GemmKernel kernel) {
  return std::ranges::any_of(gemm_layouts, [&](GemmLayout layout) {
    const auto offered = device.gemm_kernels(precision, layout);
    return std::ranges::find(offered, kernel) != offered.end();
  });
}

// What is wrong if the device has a kernel in none of the precisions, or "".
std::string unknown_kernel(const bench::KernelOptions& options, const Device& device) {
  for (const bench::NamedKernel kernel : options.kernels) {
    const bool known = std::ranges::any_of(options.precisions, [&](Precision precision) {
      return !kernel || computes_a_layout(device, precision, *kernel);
    });
    if (known) continue;
    return fmt::format("--gemm '{}' is not available on {} in these precisions", name_of(*kernel),
                       device.info().name);
  }
  return "";
}

// The wanted kernels and their references, which are always measured in the same rounds.
std::vector<bench::Candidate> candidates_for(const bench::GemmTask& task, const bench::KernelOptions& options,
                                             const Device& device) {
  std::vector<bench::Candidate> candidates;
  for (const bool fused : {false, true}) {
    if (fused && (task.layout != GemmLayout::nt || task.is_square)) continue;
    for (const Precision precision : options.precisions) {
      for (const GemmKernel kernel : device.gemm_kernels(precision, task.layout)) {
        const bool wanted = std::ranges::any_of(
            options.kernels, [&](bench::NamedKernel named) { return !named || *named == kernel; });
        if (!wanted) continue;
        const bench::Candidate candidate{precision, {.kernel = kernel}, fused};
        const bench::Candidate reference = bench::reference_of(candidate);
        add_once(candidate, candidates);
        if (bench::has_kernel(device, reference.precision, reference.variant.kernel))
          add_once(reference, candidates);
      }
    }
  }
  return candidates;
}

Launch describe(int argc, char** argv, const bench::KernelOptions& options, const Session& session,
                Device& device) {
  const GpuMonitor monitor(device.info().uuid);
  Launch launch = measure::describe_launch(argc, argv, settings_of(options), monitor.driver_version());
  launch.topology.ranks.push_back({session.host(), device.info()});
  launch.topology.links.push_back({.kind = "self"});
  return launch;
}

// Calls measure(product) for every product, and joins the rows that it returns.
template <typename Row, typename Measure>
std::vector<Row> rows_of_products(const bench::KernelOptions& options, std::string_view activity,
                                  Measure measure) {
  std::vector<Row> rows;
  measure::Progress progress(options.tasks.size(), "product");
  for (std::size_t i = 0; i < options.tasks.size(); ++i) {
    const bench::GemmTask& task = options.tasks[i];
    report_activity_as(fmt::format("{} {}", activity, label_of(task)));
    progress.start(i, label_of(task));
    const std::vector<Row> of_task = measure(task);
    rows.insert(rows.end(), of_task.begin(), of_task.end());
  }
  progress.finish();
  return rows;
}

std::vector<bench::KernelRow> compare(const bench::KernelOptions& options, Device& device, Stream& stream,
                                      const Roofline& roofline) {
  bench::TaskBench bench(device, stream, options.protocol);
  return rows_of_products<bench::KernelRow>(options, "measuring", [&](const bench::GemmTask& task) {
    const auto candidates = candidates_for(task, options, device);
    return bench::make_rows(task, bench.measure(task, candidates, options.protocol.rounds), roofline);
  });
}

GemmTable tune_all(const bench::KernelOptions& options, Device& device, Stream& stream) {
  bench::TaskBench bench(device, stream, options.protocol);
  return GemmTable(rows_of_products<GemmTableRow>(options, "tuning", [&](const bench::GemmTask& task) {
    return bench::tune(device, bench, task, options.precisions, options.protocol.rounds);
  }));
}

ExitCode write_table(const GemmTable& table, const bench::KernelOptions& options, const Launch& launch) {
  const std::string header = fmt::format(
      "The fastest of the project's kernels for each product, measured (docs/kernels.md).\n"
      "machine:  {}\ncommand:  {}\nrevision: {}\nstarted:  {}",
      report::machine_name(launch.topology), launch.command_line, launch.git_revision, launch.started);
  write_text(format_gemm_table(table, header), options.tune, "the table of products");
  const std::size_t expected = options.tasks.size() * options.precisions.size();
  print_out("{}: {} of {} products\n", options.tune, table.rows().size(), expected);
  return table.rows().size() == expected ? ExitCode::success : ExitCode::wrong_numbers;
}

bench::KernelResults compare_all(const bench::KernelOptions& options, Launch launch, Device& device,
                                 Stream& stream) {
  report_activity_as("measuring the roofline");
  launch.roofline = {measure::measure_roofline(device, options.precisions)};
  launch.copy_method = copied_by_processor;
  bench::KernelResults results{std::move(launch), options.protocol, bench::bench_sizes(device.info()), {}};
  results.rows = compare(options, device, stream, results.launch.roofline.front());
  return results;
}

ExitCode write_report(const bench::KernelResults& results, const bench::KernelOptions& options) {
  if (!options.output.empty())
    write_text(bench::kernel_report(results, report::ReportFormat::json), options.output,
               "the kernels' results");
  write_text(bench::kernel_report(results, options.format), "", "the report");
  return std::ranges::all_of(results.rows, &bench::KernelRow::right) ? ExitCode::success
                                                                     : ExitCode::wrong_numbers;
}

ExitCode measure_kernels(const Session& session, int argc, char** argv) {
  const auto parsed = bench::parse_kernel_options(argc, argv);
  if (const auto code = answer_usage(session, parsed)) return *code;
  auto options = std::get<bench::KernelOptions>(parsed);
  set_time_limit(std::numeric_limits<double>::infinity());  // one rank waits for no other
  if (session.size() > 1)
    return refuse_options(session, "kernels measures one device. Run it on one rank: breakeven kernels");
  const auto device = bench::open_bench_device(session, options);
  if (device == nullptr) return ExitCode::environment;  // rank 0 has said why
  const ExitCode read = on_every_rank(session, [&] { bench::read_gemm_table_of(options, *device); });
  if (read != ExitCode::success) return read;
  if (device->info().is_gpu()) bench::add_default_squares(options);
  const std::string unknown = unknown_kernel(options, *device);
  if (!unknown.empty()) return refuse_options(session, unknown);
  const auto stream = device->make_stream();
  Launch launch = describe(argc, argv, options, session, *device);
  if (!options.tune.empty()) {
    const GemmTable table = tune_all(options, *device, *stream);
    return write_on_root(session, [&] { return write_table(table, options, launch); });
  }
  const bench::KernelResults results = compare_all(options, std::move(launch), *device, *stream);
  warn_of_pauses(session);
  return write_on_root(session, [&] { return write_report(results, options); });
}

}  // namespace

ExitCode kernels_command(int argc, char** argv) { return with_session(argc, argv, measure_kernels); }

}  // namespace breakeven::command
