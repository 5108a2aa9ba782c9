// SPDX-License-Identifier: Apache-2.0
// Changes of a results file through HDF5: what stands in a variable's place, its type, shape and storage, and
// attributes.
#pragma once

#include <string>

#include "tests/fuzz/decisions.h"

namespace breakeven::fuzz {

void change_file(const std::string& path, Decisions& decisions);

}  // namespace breakeven::fuzz
