// SPDX-License-Identifier: Apache-2.0
// The options of `breakeven collectives`, checked.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "src/core/message.h"
#include "src/measure/plan/options.h"
#include "src/report/report.h"

namespace breakeven {

struct CollectiveOptions {
  std::vector<int> gpus;
  std::vector<std::string> transports;  // words of transports, or "auto"
  std::vector<Collective> operations;
  std::uint64_t largest_bytes = 0;  // 0: as large as the device's default
  bool graph = true;
  std::string backend;  // "auto", "cuda", "host"
  bool share_gpus = false;
  double timeout_seconds = 60;
  ReportFormat format = ReportFormat::text;
  std::vector<std::string> warnings;  // of renamed options
};

// `ranks` of this launch.
std::variant<CollectiveOptions, UsageError, HelpText> parse_collective_options(int argc, char** argv,
                                                                               int ranks);

}  // namespace breakeven
