// SPDX-License-Identifier: Apache-2.0
// Which GPU hides behind an ordinal, asked without taking the GPU into use.
#pragma once

#include <string>

namespace breakeven {

// "GPU-…" as nvidia-smi prints it; two processes may see one GPU under two ordinals.
std::string gpu_uuid(int gpu);

}  // namespace breakeven
