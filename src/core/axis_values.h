// SPDX-License-Identifier: Apache-2.0
// The values of the axes that have no table of their own. Their words are those of the results file.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "src/core/words_of.h"

namespace breakeven {

// What carries an exchange; `none` of a strategy that exchanges nothing.
enum class Transport : std::uint8_t { none, mpi, nccl };
template <>
inline constexpr std::array<std::string_view, 3> words_of<Transport>{"none", "mpi", "nccl"};

// What stays fixed when GPUs are added: the global batch, or the batch of each GPU.
enum class Scaling : std::uint8_t { strong, weak };
template <>
inline constexpr std::array<std::string_view, 2> words_of<Scaling>{"strong", "weak"};

// What the device's events mark: whole steps, or the borders of their phases too.
enum class Timing : std::uint8_t { steps, phases };
template <>
inline constexpr std::array<std::string_view, 2> words_of<Timing>{"total", "phases"};
template <>
inline constexpr std::array<std::string_view, 2> option_words_of<Timing>{"steps", "phases"};

// Where the samples are: on the device, or sent to it in each step from pinned memory of the host.
enum class DataPlacement : std::uint8_t { resident, streamed };
template <>
inline constexpr std::array<std::string_view, 2> words_of<DataPlacement>{"resident", "streamed"};

}  // namespace breakeven
