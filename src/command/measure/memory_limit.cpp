// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/memory_limit.h"

#include <fmt/format.h>

#include "src/report/numbers.h"

namespace breakeven {
namespace {

// "parameters 1.04 MiB + gradients 1.04 MiB + ... = 42.3 MiB"
std::string sum_in_words(const MemoryNeed& need) {
  std::string text;
  for (const MemoryPart& part : memory_parts) {
    const auto bytes = static_cast<double>(need.*part.bytes);
    if (bytes > 0) text += fmt::format("{}{} {}", text.empty() ? "" : " + ", part.name, format_bytes(bytes));
  }
  return fmt::format("{} = {}", text, format_bytes(static_cast<double>(need.total())));
}

}  // namespace

MemoryNeed largest_memory_need(const Case& what, const RunContext& bench) {
  MemoryNeed largest;
  for (int rank = 0; rank < what.gpus; ++rank) {
    const MemoryNeed need = bench.memory_need(what, rank);
    if (need.total() > largest.total()) largest = need;
  }
  return largest;
}

std::string over_memory_limit(const std::vector<Case>& cases, const RunContext& bench) {
  const std::uint64_t limit = bench.options().memory_limit_bytes;
  for (const Case& what : cases) {
    const MemoryNeed need = largest_memory_need(what, bench);
    if (limit == 0 || need.total() <= limit) continue;
    return fmt::format("{} needs more memory per rank than --memory-limit {}: {}, plus communication buffers",
                       label_of(what), format_bytes(static_cast<double>(limit)), sum_in_words(need));
  }
  return "";
}

}  // namespace breakeven
