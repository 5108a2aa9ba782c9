// SPDX-License-Identifier: Apache-2.0
// What a batch leaves in the network, and the memory that holds it.
#pragma once

#include "kernels/buffer.h"
#include "kernels/device.h"
#include "src/core/model/activation_views.h"

namespace breakeven {

class Activations : public ActivationViews {
 public:
  Activations(Device& device, const MlpSettings& settings)
      : memory_(device, bytes_needed(settings), false, "activations") {
    lay_out(settings, memory_.as<std::byte>());
  }

 private:
  Buffer memory_;
};

}  // namespace breakeven
