// SPDX-License-Identifier: Apache-2.0
// What training takes on a rank's device, added up before anything is allocated; the owners of the memory
// allocate by it. Not in it: what an exchange and the streams' scratch take for themselves, which the
// transport and the kernels decide.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace breakeven {

// Bytes by what they are for.
struct MemoryNeed {
  std::size_t parameters = 0;    // in fp32, padding and the step's state included
  std::size_t working_copy = 0;  // of the parameters, for the products, where it is not these themselves
  std::size_t gradients = 0;
  std::size_t moments = 0;      // Adam's two
  std::size_t activations = 0;  // with their gradients and the targets; grows with the rank's rows
  std::size_t strategy = 0;     // what a strategy keeps beside the replica: residuals, older parameters
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

}  // namespace breakeven
