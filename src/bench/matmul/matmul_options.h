// SPDX-License-Identifier: Apache-2.0
// The options of `breakeven matmul`, checked.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/bench/bench_options.h"
#include "src/bench/matmul/measure_matmul.h"

namespace breakeven::bench {

struct MatmulOptions : BenchOptions {
  std::vector<std::int64_t> sizes;  // rising
  std::vector<const FormInfo*> forms;
  std::vector<int> gpus;
  std::vector<Precision> precisions;
  std::vector<NamedKernel> kernels;  // without a value: the device's default
  MatmulProtocol protocol;
};

// `ranks` of this launch.
std::variant<MatmulOptions, UsageError, HelpText> parse_matmul_options(int argc, char** argv, int ranks);

// As they are recorded beside the results.
std::vector<std::pair<std::string, std::string>> settings_of(const MatmulOptions& options);

}  // namespace breakeven::bench
