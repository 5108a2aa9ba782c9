// SPDX-License-Identifier: Apache-2.0
// A machine's roofline: its measured peak rates, in words and as JSON.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "src/core/records/results.h"
#include "src/report/format/declared_table.h"

namespace breakeven::report {

// "copies 4.1 TB/s, products in fp32 51 TFLOP/s, …", of the slowest rank; "" where not measured.
std::string roofline_in_words(const Launch& launch);

// "kernel", or what older launches copied with; "" without a roofline.
std::string copy_method_of(const Launch& launch);

// What makes the shares too high: copies of older launches; else "".
std::string roofline_caveat(const Results& results);

// One rank's; null where not measured.
nlohmann::ordered_json roofline_as_json(const Roofline& roofline);
DeclaredColumns roofline_columns();  // of its keys

}  // namespace breakeven::report
