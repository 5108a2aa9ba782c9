// SPDX-License-Identifier: Apache-2.0
// `breakeven matmul`: times one large matrix product on 1 to N GPUs, distributed in several forms.
#include <algorithm>

#include <fmt/format.h>

#include "mpi/topology.h"
#include "mpi/transports.h"
#include "mpi/watchdog.h"
#include "src/bench/matmul/matmul_options.h"
#include "src/bench/matmul/matmul_report.h"
#include "src/command/answer/file_command.h"
#include "src/command/command.h"
#include "src/command/measure/with_session.h"
#include "src/core/terminate.h"
#include "src/measure/recorded_environment.h"

namespace breakeven::command {
namespace {

// What is wrong if the device lacks a kernel in one of the precisions, or "".
std::string unknown_kernel(const bench::MatmulOptions& options, const Device& device) {
  for (const bench::NamedKernel kernel : options.kernels) {
    for (const Precision precision : options.precisions) {
      if (!kernel || bench::has_kernel(device, precision, *kernel)) continue;
      return fmt::format("--gemm '{}' is not available on {} for {}", name_of(*kernel), device.info().name,
                         info_of(precision).name);
    }
  }
  return "";
}

// The kernel of the form `library`.
GemmKernel vendor_kernel(const Device& device, Precision precision) {
  const bool cublas = bench::has_kernel(device, precision, GemmKernel::cublas);
  return cublas ? GemmKernel::cublas : GemmKernel::openblas;
}

void add_case(const bench::MatmulCase& what, std::vector<bench::MatmulCase>& cases) {
  const bench::MatmulCase alone{&bench::single_form(), 1, what.size, what.precision, what.kernel};
  add_once(alone, cases);
  add_once(what, cases);
}

// Every form with every kernel for one size and precision, and the single-device case of each kernel.
std::vector<bench::MatmulCase> cases_of(std::int64_t size, Precision precision,
                                        const bench::MatmulOptions& options, const Device& device) {
  std::vector<bench::MatmulCase> cases;
  for (const bench::NamedKernel named : options.kernels) {
    const GemmKernel asked = named.value_or(device.gemm_kernels(precision).front());
    for (const bench::FormInfo* form : options.forms) {
      const GemmKernel kernel = form->by_library ? vendor_kernel(device, precision) : asked;
      for (const int gpus : options.gpus) add_case({form, gpus, size, precision, kernel}, cases);
    }
  }
  return cases;
}

std::vector<std::vector<bench::MatmulCase>> all_cases(const bench::MatmulOptions& options,
                                                      const Device& device) {
  std::vector<std::vector<bench::MatmulCase>> all;
  for (const Precision precision : options.precisions) {
    for (const std::int64_t size : options.sizes) all.push_back(cases_of(size, precision, options, device));
  }
  return all;
}

std::vector<bench::MatmulRow> measure(const std::vector<std::vector<bench::MatmulCase>>& groups,
                                      const bench::MatmulProtocol& protocol, measure::RunContext& context,
                                      bench::LinkCache& links) {
  std::size_t count = 0;
  for (const auto& cases : groups) count += cases.size() * protocol.repeats;
  const bool root = context.session().is_root();
  measure::Progress progress(count, "case");
  bench::MatmulBench matmul(context, links, protocol, root ? &progress : nullptr);
  std::vector<bench::MatmulRow> rows;
  for (const auto& cases : groups) {
    const std::vector<bench::MatmulRow> of_size = bench::make_matmul_rows(matmul.measure(cases));
    rows.insert(rows.end(), of_size.begin(), of_size.end());
  }
  if (root) progress.finish();
  return rows;
}

ExitCode report(const bench::MatmulResults& results, const bench::MatmulOptions& options) {
  if (!options.output.empty())
    write_text(bench::matmul_report(results, report::ReportFormat::json), options.output,
               "the products' results");
  write_text(bench::matmul_report(results, options.format), "", "the report");
  return bench::all_right(results.rows) ? ExitCode::success : ExitCode::wrong_numbers;
}

ExitCode measure_matmul(const Session& session, int argc, char** argv) {
  const auto parsed = bench::parse_matmul_options(argc, argv, session.size());
  if (const auto code = answer_usage(session, parsed)) return *code;
  const auto& options = std::get<bench::MatmulOptions>(parsed);
  set_time_limit(options.timeout_seconds);
  const auto device = bench::open_bench_device(session, options);
  if (device == nullptr) return ExitCode::environment;  // rank 0 has said why
  const ExitCode read = on_every_rank(session, [&] { bench::read_gemm_table_of(options, *device); });
  if (read != ExitCode::success) return read;
  const std::string unknown = unknown_kernel(options, *device);
  if (!unknown.empty()) return refuse_options(session, unknown);

  const Transport transport = usable_transports(site_of(session, *device, options.share_gpus)).front();
  measure::RunOptions shared;  // for the RunContext
  shared.timeout_seconds = options.timeout_seconds;
  measure::RunContext context(session, *device, shared, nullptr);
  bench::LinkCache links(context, transport);
  report_activity_as("measuring the links");
  const Topology topology =
      measure_topology(session, *device, *context.communicator(transport, session.size()));
  Launch launch =
      measure::describe_launch(argc, argv, settings_of(options), context.monitor().driver_version());
  launch.topology = topology;
  bench::MatmulResults results{std::move(launch), options.protocol, transport, {}};
  results.rows = measure(all_cases(options, *device), options.protocol, context, links);
  warn_of_pauses(session);
  return write_on_root(session, [&] { return report(results, options); });
}

}  // namespace

ExitCode matmul_command(int argc, char** argv) { return with_session(argc, argv, measure_matmul); }

}  // namespace breakeven::command
