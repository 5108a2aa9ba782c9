// SPDX-License-Identifier: Apache-2.0
// The options of `breakeven kernels`, checked.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/bench/bench_options.h"
#include "src/bench/kernels/measure_task.h"

namespace breakeven::bench {

struct KernelOptions : BenchOptions {
  std::vector<GemmTask> tasks;  // models' products, then squares; none twice
  bool lacks_squares = false;   // neither --squares nor --shapes was given
  std::vector<Precision> precisions;
  std::vector<NamedKernel> kernels;  // without a value: every kernel of the device
  BenchProtocol protocol;
  std::string tune;  // the table of measured products goes there; "": the kernels are compared instead
};

std::variant<KernelOptions, UsageError, HelpText> parse_kernel_options(int argc, char** argv);

// Adds the squares that a GPU is usually judged by, unless options name products. They take minutes on
// processor cores.
void add_default_squares(KernelOptions& options);

// As they are recorded beside the results.
std::vector<std::pair<std::string, std::string>> settings_of(const KernelOptions& options);

}  // namespace breakeven::bench
