// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/hopper_launch.cuh"

namespace breakeven {
template void launch_hopper_tile<Precision::bf16, GemmLayout::tn>(const HopperChoice& choice,
                                                                  const GemmProblem& problem,
                                                                  CudaStream& stream);
}
