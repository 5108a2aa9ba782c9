// SPDX-License-Identifier: Apache-2.0
// What a value in memory becomes in one cell of the file, and back: bool is an int8, pairs are a JSON object.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/hdf5/schema.h"

namespace breakeven {

template <typename Number>
requires std::same_as<Number, double> || std::same_as<Number, std::int32_t> ||
    std::same_as<Number, std::uint32_t> || std::same_as<Number, std::uint64_t>
        Number to_cell(Number value) {
  return value;
}
inline std::int8_t to_cell(bool value) { return value; }
inline std::uint8_t to_cell(RunStatus status) { return static_cast<std::uint8_t>(status); }
inline std::uint8_t to_cell(StopReason reason) { return static_cast<std::uint8_t>(reason); }
inline std::uint32_t to_cell(const std::vector<RankInfo>& ranks) {
  return static_cast<std::uint32_t>(ranks.size());
}
inline std::uint32_t to_cell(const std::vector<AutoCandidate>& candidates) {
  return static_cast<std::uint32_t>(candidates.size());
}
std::string to_cell(const std::string& text);  // with what is not UTF-8 replaced by U+FFFD
std::string to_cell(const Pairs& pairs);
template <typename Value>
std::string to_cell(const Level<Value>& level) {
  return std::string(level.word());
}

template <typename Number>
void from_cell(Number cell, Number& value) {
  value = cell;
}
inline void from_cell(std::int8_t cell, bool& value) { value = cell != 0; }
inline void from_cell(std::uint32_t cell, std::vector<RankInfo>& ranks) { ranks.resize(cell); }
inline void from_cell(std::uint32_t cell, std::vector<AutoCandidate>& candidates) { candidates.resize(cell); }
inline void from_cell(const std::string& cell, std::string& text) { text = cell; }
template <typename Value>
void from_cell(const std::string& cell, Level<Value>& level) {
  level = Level<Value>(cell);
}
void from_cell(std::uint8_t cell, RunStatus& status);
void from_cell(std::uint8_t cell, StopReason& reason);
void from_cell(const std::string& cell, Pairs& pairs);

// The type of a variable's cells, from its source.
template <typename Source>
struct CellOf;
template <>
struct CellOf<PlaceNumber> : std::type_identity<std::int32_t> {};
template <>
struct CellOf<PhaseName> : std::type_identity<std::string> {};
template <>
struct CellOf<TransportName> : std::type_identity<std::string> {};
template <>
struct CellOf<GroupRanks> : std::type_identity<std::int32_t> {};
template <>
struct CellOf<OperationName> : std::type_identity<std::string> {};
template <>
struct CellOf<MessageBytes> : std::type_identity<std::uint64_t> {};
template <>
struct CellOf<PrecisionName> : std::type_identity<std::string> {};
template <>
struct CellOf<RecordChecksum> : std::type_identity<std::uint64_t> {};
template <typename Owner, typename Value>
struct CellOf<Value Owner::*> : std::type_identity<decltype(to_cell(std::declval<const Value&>()))> {};
template <typename Owner>
struct CellOf<std::vector<double> Owner::*> : std::type_identity<double> {};
template <>
struct CellOf<RateByPrecision Roofline::*> : std::type_identity<double> {};

}  // namespace breakeven
