// SPDX-License-Identifier: Apache-2.0
// Times as text.
#pragma once

#include <string_view>

namespace breakeven::hdf5 {

// A date and a time of day of ISO 8601 in its extended form, with or without fractions of a second and zone:
// "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+01:00".
bool is_iso_time(std::string_view text);

}  // namespace breakeven::hdf5
