// SPDX-License-Identifier: Apache-2.0
// A break-even in words: "slower up to 1,024, faster from 4,096 (break-even 2,100–2,300)".
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/statistics/break_even.h"

namespace breakeven::report {

// How a place is written: "1,024", "2.00×".
using PlaceText = std::string (*)(double at);
std::string whole_number(double at);

// The interval of the only crossing of 1, to the digits that it supports: "2,100–2,300"; "" where it is not
// known.
std::string crossing_in_words(std::span<const statistics::BreakEvenPoint> points, PlaceText text);

// The bands alone: "slower up to 1,024, faster from 4,096".
std::string bands_in_words(std::span<const statistics::BreakEvenPoint> points, PlaceText text);

// Where the last band crosses 1, with the interval of the crossing within the band, or else the band's ends.
// NaN: not known, or none.
statistics::Interval last_break_even(std::span<const statistics::BreakEvenPoint> points);

// The bands between all points, or that all have one verdict; "" without points.
std::string break_evens_in_words(std::span<const statistics::BreakEvenPoint> points, PlaceText text);

// The bands between verdicts of the points; where one side has them all, a band without ends.
std::vector<statistics::BreakEven> bands_or_side(std::span<const statistics::BreakEvenPoint> points);

}  // namespace breakeven::report
