// SPDX-License-Identifier: Apache-2.0
// A measured topology for people and for machines: who the ranks are, what connects them, what is wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mpi/topology.h"
#include "src/report/format/report_format.h"

namespace breakeven::bench {

inline constexpr int topology_version = 2;  // of the JSON: raised where a key changes its meaning or goes

// `transport` is the communicator's name. CSV is one row for each directed pair.
std::string topology_report(const Topology& topology, std::string_view transport,
                            report::ReportFormat format);

// Sentences on what the user should know and may want to change.
std::vector<std::string> topology_remarks(const Topology& topology);

// Every float arrived as it was sent, over every link.
bool links_right(const Topology& topology);

}  // namespace breakeven::bench
