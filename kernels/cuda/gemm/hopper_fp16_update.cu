// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/hopper_update_launch.cuh"

namespace breakeven {
template void launch_hopper_update<Precision::fp16>(int tile_n, const GemmProblem& problem,
                                                    CudaStream& stream);
}
