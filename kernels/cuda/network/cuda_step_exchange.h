// SPDX-License-Identifier: Apache-2.0
// How a transport takes part in a small network's step: it launches the third kernel in a form of its own
// (update_tile.cuh).
#pragma once

#include "kernels/network_step.h"
#include "kernels/stream.h"

namespace breakeven {

struct NetworkArguments;  // arguments.cuh, for sources of CUDA
struct NetworkLaunch;

class CudaStepExchange : public StepExchange {
 public:
  // Whether the gradients of this network fit.
  virtual bool can_update(const NetworkArguments& network) const = 0;
  // Instead of launch_update_layers, on the launch's stream.
  virtual void launch_update(const NetworkLaunch& launch, Stream& stream) = 0;
};

}  // namespace breakeven
