// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/async_launch.cuh"

namespace breakeven {
template void launch_async_tile<Precision::tf32x3, GemmLayout::tn>(int tile, const AsyncLaunch& launch);
}
