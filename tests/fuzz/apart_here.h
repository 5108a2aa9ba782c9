// SPDX-License-Identifier: Apache-2.0
// In place of src/hdf5/apart.cpp: the child's work is done in this process, where sanitizers and coverage see
// it.
#pragma once

#include <string>

namespace breakeven::fuzz {

// Instead of its work, the next child says this.
void let_child_say(std::string bytes);

}  // namespace breakeven::fuzz
