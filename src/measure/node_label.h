// SPDX-License-Identifier: Apache-2.0
// Short names of kernels and copies, for people.
#pragma once

#include <string>

#include "src/core/records/node_record.h"

namespace breakeven::measure {

// "gemm_async forward bf16 <32,64,16,32,3>": the function, what it computes where its template arguments say
// so, then its other arguments as they are. Without namespaces, return type, parameters and "_kernel".
std::string label_of(const NodeRecord& node);

}  // namespace breakeven::measure
