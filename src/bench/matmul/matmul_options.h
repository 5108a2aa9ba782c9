// SPDX-License-Identifier: Apache-2.0
// What the user asks of `matmul`.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/bench/matmul/measure_matmul.h"
#include "src/measure/plan/options.h"
#include "src/report/report.h"

namespace breakeven {

struct MatmulOptions {
  std::vector<std::int64_t> sizes;  // rising
  std::vector<const FormInfo*> forms;
  std::vector<int> gpus;
  std::vector<Precision> precisions;
  std::vector<std::string> gemm;  // kernel names, or "auto"; which of them there are is the device's business
  MatmulProtocol protocol;
  std::string backend;     // "auto", "cuda", "host"
  std::string gemm_table;  // a file of kernels/gemm_table.h; "": the one that came with the program
  bool share_gpus = false;
  double timeout_seconds = 120;
  ReportFormat format = ReportFormat::text;
  std::string output;  // JSON goes there too; "": nowhere
};

// `ranks` of this launch.
std::variant<MatmulOptions, UsageError, HelpText> parse_matmul_options(int argc, char** argv, int ranks);

// As they are recorded beside the results.
std::vector<std::pair<std::string, std::string>> settings_of(const MatmulOptions& options);

}  // namespace breakeven
