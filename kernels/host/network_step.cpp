// SPDX-License-Identifier: Apache-2.0
// Whole steps, operation by operation: the reference for network_step.
#include "kernels/network_step.h"

#include <chrono>
#include <variant>

#include "kernels/host/host_device.h"

namespace breakeven {
namespace {

// The gradient of layer l's input, from the neighbouring products of the step.
Product data_gradient(const NetworkStep& step, std::size_t l) {
  const auto matrix = [](const ConstMatrix& m) {
    return Matrix{const_cast<void*>(m.data), m.rows, m.cols, m.ld, m.dtype};
  };
  const Product& forward = step.forward[l];
  const auto& below = std::get<BiasReluDropout>(step.forward[l - 1].epilogue);
  return {GemmLayout::nn,
          forward.precision,
          forward.variant,
          step.updates[l].a,
          forward.b,
          matrix(step.updates[l - 1].a),
          ReluDropoutBackward{forward.a, below.dropout.rate, step.state}};
}

std::uint64_t nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

}  // namespace

bool HostDevice::network_step(const NetworkStep& step, Stream& stream) {
  if (step.exchange != nullptr) return false;  // no transport of the host has one
  const std::size_t slots = std::get<SquaredErrorLoss>(step.forward.back().epilogue).losses.size();
  for (std::uint32_t made = 0; made < step.steps; ++made) {
    load_batch(step.source, step.state, step.batch, step.target, stream);
    for (const Product& product : step.forward) gemm(product, stream);
    for (std::size_t l = step.forward.size(); l-- > 1;) gemm(data_gradient(step, l), stream);
    gemm(step.updates, stream);
    const std::uint32_t number = step.state->step;
    advance_step(step.adam, step.state, stream);
    if (step.step_ends != nullptr) step.step_ends[number % slots] = nanoseconds();
  }
  return true;
}

}  // namespace breakeven
