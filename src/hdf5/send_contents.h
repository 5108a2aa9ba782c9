// SPDX-License-Identifier: Apache-2.0
// The part of reading that trusts HDF5 with the file's bytes. It runs apart (read_contents.h) and sends what
// it finds.
#pragma once

#include <cstdint>
#include <string>

#include "src/hdf5/apart.h"
#include "src/hdf5/schema.h"

namespace breakeven::hdf5 {

// A message is a Header, then `rank` extents (uint64), then `bytes` bytes: the cells, of text each with a
// zero behind it. Failures, faults and unknown names have no extents but text.
struct Header {
  enum class Kind : std::uint32_t { begins, variable, unknown, fault, failure, end };
  Kind kind;
  std::uint32_t variable;  // its place in readable_variables()
  std::uint32_t rank;
  std::uint64_t bytes;
};

// The variables in the order in which they are read. A launch that is writing changes status and checksums,
// so these come first and together, and the numbers behind them.
const std::vector<Variable>& readable_variables();

// Opens `place`, sends every readable variable that the file has, and never throws.
void send_contents(const std::string& place, std::uint64_t most_bytes, const Sender& sender);

// Opens `place`, sends schema_faults_in() of it, and never throws.
void send_schema_faults(const std::string& place, const Sender& sender);

}  // namespace breakeven::hdf5
