// SPDX-License-Identifier: Apache-2.0
// What the user asks of `kernels`.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/bench/kernels/measure_task.h"
#include "src/measure/plan/options.h"
#include "src/report/report.h"

namespace breakeven {

struct KernelOptions {
  std::vector<GemmTask> tasks;  // models' products, then squares; none twice
  std::vector<Precision> precisions;
  std::vector<GemmKernel> kernels;  // empty: every one that the device has
  BenchProtocol protocol;
  std::string backend;     // "auto", "cuda", "host"
  std::string gemm_table;  // a file of kernels/gemm_table.h; "": the one that came with the program
  ReportFormat format = ReportFormat::text;
  std::string output;  // JSON goes there too; "": nowhere
  std::string tune;    // the table of measured products goes there; "": the kernels are compared instead
};

std::variant<KernelOptions, UsageError, HelpText> parse_kernel_options(int argc, char** argv);

// As they are recorded beside the results.
std::vector<std::pair<std::string, std::string>> settings_of(const KernelOptions& options);

}  // namespace breakeven
