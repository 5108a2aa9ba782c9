// SPDX-License-Identifier: Apache-2.0
// Finds the fastest of a device's kernels for a product, with its tile and split of k.
#pragma once

#include <span>
#include <vector>

#include "kernels/gemm_table.h"
#include "src/bench/kernels/measure_task.h"

namespace breakeven::bench {

// Returns one row for each precision in which any variant computed the product right. Measures all variants
// in one round, and the best few of each precision in all rounds. The best has the smallest product of warm
// and cold time, because a step finds part of its operands in the cache. The vendor's libraries are never in
// the table, which is compared with them.
std::vector<GemmTableRow> tune(Device& device, TaskBench& bench, const GemmTask& task,
                               std::span<const Precision> precisions, std::uint32_t rounds);

// The fastest `most` of those that are right, best first.
std::vector<Measured> best_of(std::span<const Measured> measured, std::int64_t k, std::size_t most);

}  // namespace breakeven::bench
