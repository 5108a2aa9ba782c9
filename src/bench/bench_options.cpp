// SPDX-License-Identifier: Apache-2.0
#include "src/bench/bench_options.h"

#include <variant>

#include <fmt/format.h>

#include "kernels/gemm_table.h"
#include "mpi/open_device.h"
#include "src/command/answer/shared_options.h"
#include "src/core/text/text_file.h"
#include "src/core/text/usage.h"
#include "src/measure/plan/launch_options.h"

namespace breakeven::bench {

void add_rank_options(CommandOptions& options, BenchOptions& bench, const std::string& limited) {
  measure::add_share_gpus(options, bench.share_gpus);
  measure::add_timeout(options, ("time limit in seconds for " + limited).c_str(), bench.timeout_seconds);
}

void add_output(CommandOptions& options, BenchOptions& bench) {
  options.add("output", bench.output, "also write the results to this file as JSON", "FILE");
  options.check([&bench] { return problem_of_overwriting("output", bench.output); });
  options.check([&bench] { return problem_of_output("output", bench.output); });
}

void add_precision_list(CommandOptions& options, const std::string& preset,
                        std::vector<Precision>& precisions) {
  command::add_precisions(options, preset, "precisions of the matrix products", precisions);
}

void add_gemm(CommandOptions& options, const std::string& unnamed, const std::string& meaning,
              std::vector<NamedKernel>& kernels) {
  LegalWords<NamedKernel> legal{{unnamed, std::nullopt}};
  for (const auto& [word, kernel] : legal_words<GemmKernel>()) legal.emplace_back(word, kernel);
  options.add_list("gemm", unnamed, fmt::format("kernels by name, or {}: {}", unnamed, meaning),
                   list_of_words("gemm", legal, kernels));
}

void add_gpus(CommandOptions& options, const std::string& command, int fewest, int ranks,
              std::vector<int>& gpus) {
  const auto count_of = [command, fewest, ranks](const std::string& word) -> std::variant<int, UsageError> {
    const auto most = static_cast<std::uint32_t>(ranks);
    const auto count = word == "all" ? most : parse_count(word, most).value_or(0);
    if (static_cast<int>(count) >= fewest) return static_cast<int>(count);
    if (ranks < fewest)
      return UsageError{
          fmt::format("{0} needs {1} ranks or more; this launch has {2}. Run: mpirun -np {1} breakeven {0}",
                      command, fewest, ranks)};
    return UsageError{problem_of_gpus(word, fewest, ranks, "breakeven " + command)};
  };
  options.add_list("gpus", "all",
                   fmt::format("numbers of ranks to measure{}, or all",
                               fewest > 1 ? fmt::format(" ({} or more)", fewest) : ""),
                   list_of_values(gpus, count_of));
}

std::unique_ptr<Device> open_bench_device(const Session& session, const BenchOptions& bench) {
  return open_device(session, bench.backend, bench.share_gpus);
}

void read_gemm_table_of(const BenchOptions& bench, Device& device) {
  if (!bench.gemm_table.empty()) device.use_gemm_table(read_gemm_table(bench.gemm_table));
}

}  // namespace breakeven::bench
