// SPDX-License-Identifier: Apache-2.0
// What a file lacks of the table of variables (schema.h), for `breakeven check`.
#pragma once

#include <string>
#include <vector>

#include "src/hdf5/h5.h"

namespace breakeven::hdf5 {

// One sentence a lack, with what it should be. Not what the cells hold.
std::vector<std::string> lacks_in(hid_t file);

}  // namespace breakeven::hdf5
