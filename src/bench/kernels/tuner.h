// SPDX-License-Identifier: Apache-2.0
// Which of a device's kernels, with which tile and which split of k, is fastest for a product.
#pragma once

#include <span>
#include <vector>

#include "kernels/gemm_table.h"
#include "src/bench/kernels/measure_task.h"

namespace breakeven {

// One row for each precision in which any variant computed the product right. All variants are measured in
// one round, and the best few of each precision in all rounds. The best is the one with the smallest product
// of warm and cold time: a step meets its operands partly in the cache. The vendor's libraries are what the
// table is compared with, and are never in it.
std::vector<GemmTableRow> tune(Device& device, TaskBench& bench, const GemmTask& task,
                               std::span<const Precision> precisions, std::uint32_t rounds);

// Of those that are right, the fastest `most`, best first.
std::vector<Measured> best_of(std::span<const Measured> measured, std::int64_t k, std::size_t most);

}  // namespace breakeven
