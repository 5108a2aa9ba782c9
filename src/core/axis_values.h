// SPDX-License-Identifier: Apache-2.0
// The values of the axes that have no table of their own. Their words are those of the results file.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "src/core/words_of.h"

namespace breakeven {

// What stays fixed when GPUs are added: the global batch, or the batch of each GPU.
enum class Scaling : std::uint8_t { strong, weak };
template <>
inline constexpr auto words_of<Scaling> = std::to_array<std::string_view>({"strong", "weak"});

// What the device's events mark: whole steps, or the borders of their phases too.
enum class Timing : std::uint8_t { steps, phases };
template <>
inline constexpr auto words_of<Timing> = std::to_array<std::string_view>({"total", "phases"});
template <>
inline constexpr auto option_words_of<Timing> = std::to_array<std::string_view>({"steps", "phases"});

// Where the samples are: on the device, or sent to it in each step from pinned memory of the host.
enum class DataPlacement : std::uint8_t { resident, streamed };
template <>
inline constexpr auto words_of<DataPlacement> = std::to_array<std::string_view>({"resident", "streamed"});

}  // namespace breakeven
