// SPDX-License-Identifier: Apache-2.0
// The memory that training takes on a rank's device, added up before anything is allocated. The owners of the
// memory allocate by these numbers. Memory of the communication library and of the streams' scratch is not
// included: the transport and the kernels decide it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "src/core/model/mlp_settings.h"

namespace breakeven {

// Bytes by what they are for.
struct MemoryNeed {
  std::size_t parameters = 0;    // in fp32, padding and the step's state included
  std::size_t working_copy = 0;  // of the parameters, for the products, where it is not these themselves
  std::size_t gradients = 0;
  std::size_t moments = 0;      // Adam's two
  std::size_t activations = 0;  // with their gradients and the targets; grows with the rank's rows
  std::size_t strategy = 0;     // what a strategy keeps besides the network: residuals, older parameters
  std::size_t histories = 0;    // a loss and an end for each step, and notes for the next one
  std::size_t samples = 0;      // the data set, where it is resident
  std::size_t staged = 0;       // rows on their way, where it is streamed; grows with the rank's rows

  std::size_t total() const;
  std::size_t of_rows() const { return activations + staged; }
};

struct MemoryPart {
  std::string_view name;
  std::size_t MemoryNeed::*bytes;
};

inline constexpr std::array memory_parts{MemoryPart{"parameters", &MemoryNeed::parameters},
                                         MemoryPart{"working copy", &MemoryNeed::working_copy},
                                         MemoryPart{"gradients", &MemoryNeed::gradients},
                                         MemoryPart{"moments", &MemoryNeed::moments},
                                         MemoryPart{"activations", &MemoryNeed::activations},
                                         MemoryPart{"strategy's own", &MemoryNeed::strategy},
                                         MemoryPart{"histories", &MemoryNeed::histories},
                                         MemoryPart{"samples", &MemoryNeed::samples},
                                         MemoryPart{"staged samples", &MemoryNeed::staged}};

inline std::size_t MemoryNeed::total() const {
  std::size_t bytes = 0;
  for (const MemoryPart& part : memory_parts) bytes += this->*part.bytes;
  return bytes;
}

// Sizes of the buffers of a rank's ModelState; they depend on what is sharded. In floats, but `working` and
// `weight_slots` count values of the precision's dtype.
struct StateSizes {
  std::size_t masters = 0;  // the parameters in fp32
  std::size_t gradients = 0;
  std::size_t moment = 0;   // each of the two; 0 for an optimizer without
  std::size_t working = 0;  // the copy that products read; 0 where that is the masters
  std::size_t biases = 0;   // gathered in fp32 if the working copy has sharded masters
  // Sharded arrays: buffers for the whole of a bucket. Every other bucket uses the same one.
  std::array<std::size_t, 2> weight_slots{};
  std::array<std::size_t, 2> gradient_slots{};
};

StateSizes state_sizes(const MlpSettings& settings);

// Parameters, gradients and moments, without activations and what micro-batches add.
MemoryNeed state_memory(const MlpSettings& settings);

// What a network needs. A strategy adds what it keeps besides.
MemoryNeed mlp_memory(const MlpSettings& settings);

// Buffers for a micro-batch's gradient and losses; 0 where the rows are not divided.
std::size_t micro_gradient_bytes(const MlpSettings& settings);
std::size_t micro_losses_bytes(const MlpSettings& settings);

}  // namespace breakeven
