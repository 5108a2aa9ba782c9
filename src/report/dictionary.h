// SPDX-License-Identifier: Apache-2.0
// Every table that the program prints, with its columns, their units and their meanings.
#pragma once

#include <string>

namespace breakeven {

std::string dictionary_as_json();
std::string dictionary_as_markdown();  // a column of several tables stands there once

}  // namespace breakeven
