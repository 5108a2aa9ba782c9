// SPDX-License-Identifier: Apache-2.0
#include "src/core/records/results.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace breakeven {

std::string nccl_settings_of(const Launch& launch) {
  std::set<std::string> settings;
  for (const auto& [name, value] : launch.environment) {
    // Set by containers, about NCCL's output, and the program's own default (mpi/session.cpp).
    const bool changes_nothing = name == "NCCL_VERSION" || name.starts_with("NCCL_DEBUG") ||
                                 (name == "NCCL_NVLS_ENABLE" && value == "0");
    if (name.starts_with("NCCL_") && !changes_nothing) settings.insert(fmt::format("{}={}", name, value));
  }
  return fmt::format("{}", fmt::join(settings, " "));
}

void note_nccl_settings(Results& results) {
  for (RecordedRun& run : results.runs) {
    Case& what = run.planned.what;
    if (traits_of(what.transport).takes_nccl_settings)
      what.nccl = nccl_settings_of(results.launches[run.launch]);
  }
}

}  // namespace breakeven
