// SPDX-License-Identifier: Apache-2.0
// A break-even in words: "slower up to 1,024, faster from 4,096 (break-even near 2,210)".
#pragma once

#include <span>
#include <string>

#include "src/statistics/break_even.h"

namespace breakeven::report {

// How a place is written: "1,024", "2.00×".
using PlaceText = std::string (*)(double at);

// Of all points: each band, or that all are on one side; "" where there are no points.
std::string break_evens_in_words(std::span<const statistics::BreakEvenPoint> points, PlaceText text);

}  // namespace breakeven::report
