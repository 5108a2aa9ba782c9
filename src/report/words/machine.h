// SPDX-License-Identifier: Apache-2.0
// The machine of a launch, in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "src/core/records/results.h"

namespace breakeven::report {

// "2x NVIDIA H200", "2x NVIDIA H200 and 2x NVIDIA A100", "4x Intel Xeon (host backend)"; on more than one
// host " on 2 hosts" behind it. Of several launches: of that with the most ranks, with "and others" where
// their kinds differ.
std::string machine_name(const Topology& topology);
std::string machine_name(const Results& results);

// Launches with a device in common, by its UUID, ran on one machine; without UUIDs those with a host in
// common.
std::size_t count_machines(const Results& results);
// Of the launches with these indices.
std::size_t count_machines(const Results& results, const std::set<std::uint32_t>& launches);

// How many kinds: launches on devices of the same names ran on one, however many devices they used.
std::size_t count_machine_kinds(const Results& results);

// "NV18: 376 GB/s to 381 GB/s one way, 6.2 µs latency (2 directed pairs)": one phrase for each kind of link
// between different ranks; "" with fewer than two ranks.
std::string links_in_words(const Topology& topology);

// No rank of any launch had a GPU: the figures are of processor cores that stood in for them.
bool ran_on_host(const Results& results);
// What is to be known about such figures before anything else; "" where a GPU took part.
std::string host_warning(const Results& results);

// Whether every float sent over every measured link arrived as it was.
bool links_carry_right(const Topology& topology);

}  // namespace breakeven::report
