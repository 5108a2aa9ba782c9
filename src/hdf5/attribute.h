// SPDX-License-Identifier: Apache-2.0
// Attributes of the file and of its variables.
#pragma once

#include <string>
#include <string_view>

#include "src/hdf5/h5.h"

namespace breakeven {

void write_attribute(hid_t object, const char* name, std::string_view text);  // of fixed length, not empty
void write_attribute(hid_t object, const char* name, double number);
void write_attribute(hid_t object, const char* name, int number);

// Empty where there is no such attribute, or it is not text of fixed length.
std::string read_text_attribute(hid_t object, const char* name);

}  // namespace breakeven
