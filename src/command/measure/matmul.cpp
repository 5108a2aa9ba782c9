// SPDX-License-Identifier: Apache-2.0
// `breakeven matmul`: one large matrix product on 1 to N GPUs, in every form of sharing it.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "kernels/gemm_table.h"
#include "mpi/open_device.h"
#include "mpi/topology.h"
#include "mpi/transports.h"
#include "src/bench/matmul/matmul_options.h"
#include "src/bench/matmul/matmul_report.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/core/terminate.h"
#include "src/measure/provenance.h"

namespace breakeven {
namespace {

ExitCode refuse(const Session& session, const std::string& sentence) {
  if (session.is_root()) fmt::print(stderr, "breakeven: {}\n", sentence);
  return ExitCode::usage;
}

bool has_kernel(std::span<const GemmKernel> kernels, GemmKernel kernel) {
  return std::find(kernels.begin(), kernels.end(), kernel) != kernels.end();
}

// A kernel by name that the device does not have in one of the precisions; "" where there is none such.
std::string unknown_kernel(const MatmulOptions& options, const Device& device) {
  for (const std::string& name : options.gemm) {
    for (const Precision precision : options.precisions) {
      if (name == "auto" || has_kernel(device.gemm_kernels(precision), *find_value<GemmKernel>(name)))
        continue;
      return fmt::format("--gemm '{}' is not available on {} for {}", name, device.info().name,
                         info_of(precision).name);
    }
  }
  return "";
}

// What `library` multiplies with.
GemmKernel vendor_kernel(const Device& device, Precision precision) {
  const bool cublas = has_kernel(device.gemm_kernels(precision), GemmKernel::cublas);
  return cublas ? GemmKernel::cublas : GemmKernel::openblas;
}

void add_case(const MatmulCase& what, std::vector<MatmulCase>& cases) {
  const MatmulCase alone{&single_form(), 1, what.size, what.precision, what.kernel};
  for (const MatmulCase& one : {alone, what}) {
    if (std::find(cases.begin(), cases.end(), one) == cases.end()) cases.push_back(one);
  }
}

// Of one size and precision: every form with every kernel, and what each is compared with.
std::vector<MatmulCase> cases_of(std::int64_t size, Precision precision, const MatmulOptions& options,
                                 const Device& device) {
  std::vector<MatmulCase> cases;
  for (const std::string& name : options.gemm) {
    const GemmKernel asked =
        name == "auto" ? device.gemm_kernels(precision).front() : *find_value<GemmKernel>(name);
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
                               const MatmulProtocol& protocol, RunContext& bench, LinkCache& links) {
  std::size_t count = 0;
  for (const auto& cases : groups) count += cases.size() * protocol.repeats;
  const bool root = bench.session().is_root();
  Progress progress(count, "case");
  MatmulBench matmul(bench, links, protocol, root ? &progress : nullptr);
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
  if (const auto* error = std::get_if<UsageError>(&parsed)) return refuse(session, error->sentence);
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    if (session.is_root()) fmt::print("{}", help->text);
    return ExitCode::success;
  }
  const auto& options = std::get<MatmulOptions>(parsed);
  const auto device = open_device(session, options.backend, options.share_gpus);
  if (device == nullptr) return ExitCode::environment;  // rank 0 has said why
  const std::string unknown = unknown_kernel(options, *device);
  if (!unknown.empty()) return refuse(session, unknown);
  if (!options.gemm_table.empty()) device->use_gemm_table(read_gemm_table(options.gemm_table));

  const Transport transport = usable_transports(site_of(*device, options.share_gpus)).front();
  RunOptions shared;  // what the workbench goes by
  shared.timeout_seconds = options.timeout_seconds;
  RunContext bench(session, *device, shared, nullptr);
  LinkCache links(bench, transport);
  report_activity_as("measuring the links");
  Watchdog watchdog(options.timeout_seconds);
  const Topology topology =
      measure_topology(session, *device, *bench.communicator(transport, session.size()), &watchdog);
  Launch launch = describe_launch(argc, argv, settings_of(options), bench.monitor().driver_version());
  launch.topology = topology;
  MatmulResults results{std::move(launch), options.protocol, transport, {}};
  results.rows = measure(all_cases(options, *device), options.protocol, bench, links);
  return session.agree(session.is_root() ? report(results, options) : ExitCode::success);
}

}  // namespace breakeven
