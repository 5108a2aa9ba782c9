// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/async_launch.cuh"

namespace breakeven {
template void launch_async_tile<Precision::fp16, GemmLayout::nt>(int tile, const AsyncLaunch& launch);
}
