// SPDX-License-Identifier: Apache-2.0
// Whether one GPU can read and write another's memory directly.
#pragma once

#include <string>

namespace breakeven {

// By cudaDeviceCanAccessPeer, from the first GPU to the second. False also where the two are one, where not
// both are visible to this process, and in a build without CUDA.
bool can_access_peer(const std::string& uuid_a, const std::string& uuid_b);

}  // namespace breakeven
