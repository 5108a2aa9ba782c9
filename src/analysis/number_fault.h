// SPDX-License-Identifier: Apache-2.0
// Whether the numbers that a case's training computed can be right. A case whose numbers cannot has no speed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven::analysis {

enum class NumberFault : std::uint8_t { none, loss_not_a_number, repeats_differ, replicas_differ };

struct NumberFaultInfo {
  NumberFault fault;
  std::string_view meaning;  // "in these cases ..."
};
inline constexpr std::array number_faults{
    NumberFaultInfo{NumberFault::loss_not_a_number, "a loss is not a number: the training failed"},
    NumberFaultInfo{NumberFault::repeats_differ,
                    "repeats with the same seed have different losses: the arithmetic is wrong in some run"},
    NumberFaultInfo{NumberFault::replicas_differ,
                    "replicas have different weights after the last step: the arithmetic or the "
                    "communication is wrong in some run"}};

// The first fault of the list that the case's finished runs have:
// - at some step of some run a loss is NaN, or infinite where nothing scales it, or the last one is not
// finite;
// - the strategy promises the same bits in every run (StrategyPromise), and at some step two runs with the
//   same settings differ on some rank. With --until only runs of the same repeat have the same seed;
// - after the last step of some run, replicas have different RunRecord::weights_checksum.
NumberFault fault_of(const Case& what, const std::vector<const RecordedRun*>& done, const Results& results);

}  // namespace breakeven::analysis
