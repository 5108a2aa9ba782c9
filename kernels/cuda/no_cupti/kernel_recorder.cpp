// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_recorder.h"

#include "src/core/failure.h"

namespace breakeven {

std::unique_ptr<KernelRecorder> make_kernel_recorder() {
  throw Failure(
      ExitCode::environment,
      "this program was built without CUPTI, which records kernels. Install the CUDA toolkit's CUPTI "
      "(cupti.h) and build again");
}

}  // namespace breakeven
