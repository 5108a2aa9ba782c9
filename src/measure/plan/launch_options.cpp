// SPDX-License-Identifier: Apache-2.0
#include "src/measure/plan/launch_options.h"

#include <fmt/format.h>

namespace breakeven::measure {

void add_backend(CommandOptions& options, std::string& backend) {
  options.add("backend", backend, "cuda, host, or auto");
  options.check([&backend] { return problem_of_backend(backend); });
}

void add_gemm_table(CommandOptions& options, std::string& path) {
  options.add("gemm-table", path,
              "table of the fastest kernels for --gemm tuned, written by 'breakeven kernels --tune'", "FILE");
}

void add_share_gpus(CommandOptions& options, bool& share_gpus) {
  options.add_switch("share-gpus", share_gpus,
                     "allow several ranks on one GPU (default transport then: mpi)");
}

void add_timeout(CommandOptions& options, const char* meaning, double& seconds) {
  options.add("timeout", seconds, meaning);
  options.check([&seconds]() -> std::string {
    if (seconds > 0 && seconds <= longest_seconds) return "";
    return fmt::format("--timeout must be a positive number of seconds, at most {}", longest_seconds);
  });
}

std::string recorded_gemm_table(const std::string& path) { return path.empty() ? "built in" : path; }

}  // namespace breakeven::measure
