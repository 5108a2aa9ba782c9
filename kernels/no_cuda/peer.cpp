// SPDX-License-Identifier: Apache-2.0
#include "kernels/peer.h"

namespace breakeven {

bool can_access_peer(const std::string& /*uuid_a*/, const std::string& /*uuid_b*/) { return false; }

}  // namespace breakeven
