// SPDX-License-Identifier: Apache-2.0
// `breakeven matmul`: times one large matrix product on 1 to N GPUs, distributed in several forms.
#include <algorithm>

#include <fmt/format.h>

#include "mpi/topology.h"
#include "mpi/transports.h"
#include "src/bench/matmul/matmul_options.h"
#include "src/bench/matmul/matmul_report.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/command/measure/usage_answers.h"
#include "src/core/terminate.h"
#include "src/measure/provenance.h"

namespace breakeven {
namespace {

// What is wrong if the device lacks a kernel in one of the precisions, or "".
std::string unknown_kernel(const MatmulOptions& options, const Device& device) {
  for (const NamedKernel kernel : options.kernels) {
    for (const Precision precision : options.precisions) {
      if (!kernel || has_kernel(device, precision, *kernel)) continue;
      return fmt::format("--gemm '{}' is not available on {} for {}", name_of(*kernel), device.info().name,
                         info_of(precision).name);
    }
  }
  return "";
}

// The kernel of the form `library`.
GemmKernel vendor_kernel(const Device& device, Precision precision) {
  const bool cublas = has_kernel(device, precision, GemmKernel::cublas);
  return cublas ? GemmKernel::cublas : GemmKernel::openblas;
}

void add_case(const MatmulCase& what, std::vector<MatmulCase>& cases) {
  const MatmulCase alone{&single_form(), 1, what.size, what.precision, what.kernel};
  add_once(alone, cases);
  add_once(what, cases);
}

// Every form with every kernel for one size and precision, and the single-device case of each kernel.
std::vector<MatmulCase> cases_of(std::int64_t size, Precision precision, const MatmulOptions& options,
                                 const Device& device) {
  std::vector<MatmulCase> cases;
  for (const NamedKernel named : options.kernels) {
    const GemmKernel asked = named.value_or(device.gemm_kernels(precision).front());
    for (const FormInfo* form : options.forms) {
      const GemmKernel kernel = form->by_library ? vendor_kernel(device, precision) : asked;
      for (const int gpus : options.gpus) add_case({form, gpus, size, precision, kernel}, cases);
    }
  }
  return cases;
}

std::vector<std::vector<MatmulCase>> all_cases(const MatmulOptions& options, const Device& device) {
  std::vector<std::vector<MatmulCase>> all;
  for (const Precision precision : options.precisions) {
    for (const std::int64_t size : options.sizes) all.push_back(cases_of(size, precision, options, device));
  }
  return all;
}

std::vector<MatmulRow> measure(const std::vector<std::vector<MatmulCase>>& groups,
                               const MatmulProtocol& protocol, RunContext& context, LinkCache& links) {
  std::size_t count = 0;
  for (const auto& cases : groups) count += cases.size() * protocol.repeats;
  const bool root = context.session().is_root();
  Progress progress(count, "case");
  MatmulBench matmul(context, links, protocol, root ? &progress : nullptr);
  std::vector<MatmulRow> rows;
  for (const auto& cases : groups) {
    const std::vector<MatmulRow> of_size = make_matmul_rows(matmul.measure(cases));
    rows.insert(rows.end(), of_size.begin(), of_size.end());
  }
  if (root) progress.finish();
  return rows;
}

ExitCode report(const MatmulResults& results, const MatmulOptions& options) {
  if (!options.output.empty())
    write_text(matmul_report(results, ReportFormat::json), options.output, "the products' results");
  write_text(matmul_report(results, options.format), "", "the report");
  return all_right(results.rows) ? ExitCode::success : ExitCode::wrong_numbers;
}

}  // namespace

ExitCode matmul_command(int argc, char** argv) {
  const Session session(&argc, &argv);
  const auto parsed = parse_matmul_options(argc, argv, session.size());
  if (const auto code = answer_usage(session, parsed)) return *code;
  const auto& options = std::get<MatmulOptions>(parsed);
  const auto device = open_bench_device(session, options);
  if (device == nullptr) return ExitCode::environment;  // rank 0 has said why
  const std::string unknown = unknown_kernel(options, *device);
  if (!unknown.empty()) return refuse_options(session, unknown);

  const Transport transport = usable_transports(site_of(*device, options.share_gpus)).front();
  RunOptions shared;  // for the RunContext
  shared.timeout_seconds = options.timeout_seconds;
  RunContext context(session, *device, shared, nullptr);
  LinkCache links(context, transport);
  report_activity_as("measuring the links");
  Watchdog watchdog(options.timeout_seconds);
  const Topology topology =
      measure_topology(session, *device, *context.communicator(transport, session.size()), &watchdog);
  Launch launch = describe_launch(argc, argv, settings_of(options), context.monitor().driver_version());
  launch.topology = topology;
  MatmulResults results{std::move(launch), options.protocol, transport, {}};
  results.rows = measure(all_cases(options, *device), options.protocol, context, links);
  return session.agree(session.is_root() ? report(results, options) : ExitCode::success);
}

}  // namespace breakeven
