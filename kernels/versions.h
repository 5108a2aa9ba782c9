// SPDX-License-Identifier: Apache-2.0
// Which libraries the device's arithmetic comes from, as they say themselves at run time.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace breakeven {

// {"cuda", "13.0"}, {"cuda driver", "13.0"}, {"cublas", "13.1.0"}; empty in a build without CUDA. "cuda
// driver" is the newest CUDA that the driver knows ("0.0" where there is no driver), not the driver's own
// version.
std::vector<std::pair<std::string, std::string>> device_versions();

}  // namespace breakeven
