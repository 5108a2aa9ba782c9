// SPDX-License-Identifier: Apache-2.0
// Parts of the table of variables (schema.h) that have a file each.
#pragma once

#include <vector>

#include "src/hdf5/schema.h"

namespace breakeven {

Variable variable_of(Axis axis);
std::vector<Variable> launch_variables();  // of a start of the program: where, when and how
std::vector<Variable> choice_variables();  // of `--strategies auto` (docs/auto.md); older files have none

}  // namespace breakeven
