// SPDX-License-Identifier: Apache-2.0
// Which processor cores the ranks may run on: a launcher that was told nothing may give all of them the same
// one.
#pragma once

#include <string>
#include <vector>

#include "mpi/session.h"

namespace breakeven {

// What the system lets a rank use.
struct CoreClaim {
  std::string host;
  std::vector<int> cores;  // empty: unknown
  int cores_of_host = 0;
};

// One sentence where the ranks of a host may use fewer cores than they are, though the host has more; else
// "".
std::string core_remark(const std::vector<CoreClaim>& claims);

// Of this launch, the same on every rank. Collective over the world.
std::string core_remark(const Session& session);

}  // namespace breakeven
