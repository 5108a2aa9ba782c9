// SPDX-License-Identifier: Apache-2.0
// Options that several of `kernels`, `matmul`, `collectives` and `topology` take, and the device that they
// name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "mpi/session.h"
#include "src/core/text/command_options.h"
#include "src/report/report.h"

namespace breakeven::bench {

struct BenchOptions {
  std::string backend = "auto";  // or a word of Backend
  std::string gemm_table;        // a file of kernels/gemm_table.h; "": the one that came with the program
  bool share_gpus = false;
  double timeout_seconds = 60;
  report::ReportFormat format = report::ReportFormat::text;
  std::string output;                 // JSON goes there too; "": nowhere
  std::vector<std::string> warnings;  // of renamed options
};

// Each of the next two stores into `bench`, which must live until the options are read.
// --share-gpus and --timeout; `limited` is what the time limit is for: "one case".
void add_rank_options(CommandOptions& options, BenchOptions& bench, const std::string& limited);
void add_output(CommandOptions& options, BenchOptions& bench);

// --precisions; `preset` is the list without the option.
void add_precision_list(CommandOptions& options, const std::string& preset,
                        std::vector<Precision>& precisions);

// --gemm: kernels by name, or `unnamed`, a word for kernels that the device decides on: no value.
using NamedKernel = std::optional<GemmKernel>;
void add_gemm(CommandOptions& options, const std::string& unnamed, const std::string& meaning,
              std::vector<NamedKernel>& kernels);

// --gpus: numbers of ranks from `fewest` to `ranks`, those of this launch, which "all" stands for.
void add_gpus(CommandOptions& options, const std::string& command, int fewest, int ranks,
              std::vector<int>& gpus);

// The device of --backend. Null as in mpi/open_device.h, after rank 0 has said why. Collective over the
// world.
std::unique_ptr<Device> open_bench_device(const Session& session, const BenchOptions& bench);

// Gives the device the table of --gemm-table. Throws Failure(file).
void read_gemm_table_of(const BenchOptions& bench, Device& device);

}  // namespace breakeven::bench
