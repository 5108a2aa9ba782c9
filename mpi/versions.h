// SPDX-License-Identifier: Apache-2.0
// Which libraries carry the exchange, as they say themselves at run time.
#pragma once

#include <string>

namespace breakeven {

std::string nccl_version();         // "2.28.9"; "none" in a build without NCCL
std::string mpi_library_version();  // "Open MPI v4.1.4, package: ..."

}  // namespace breakeven
