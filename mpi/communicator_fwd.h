// SPDX-License-Identifier: Apache-2.0
// The names of communicator.h for headers that need no more of it, so that what includes them needs no MPI.
#pragma once

namespace breakeven {

class Communicator;
struct SummedUpdate;

}  // namespace breakeven
