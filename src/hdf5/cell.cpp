// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/cell.h"

#include <nlohmann/json.hpp>

#include "src/core/failure.h"

namespace breakeven {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string to_cell(const std::string& text) { return Json::parse(dump(text)).get<std::string>(); }

std::string to_cell(const Pairs& pairs) {
  Json object = Json::object();
  for (const auto& [key, value] : pairs) object[key] = value;
  return dump(object);
}

void from_cell(std::uint8_t cell, RunStatus& status) {
  if (!(cell <= static_cast<std::uint8_t>(RunStatus::verified)))
    throw Failure(ExitCode::file,
                  "the results file holds an unknown status of a run: " + std::to_string(cell));
  status = static_cast<RunStatus>(cell);
}

void from_cell(std::uint8_t cell, StopReason& reason) {
  if (!(cell <= static_cast<std::uint8_t>(StopReason::repeats)))
    throw Failure(ExitCode::file,
                  "the results file holds an unknown reason to stop a case: " + std::to_string(cell));
  reason = static_cast<StopReason>(cell);
}

void from_cell(const std::string& cell, Pairs& pairs) {
  const Json object = Json::parse(cell, nullptr, false);
  if (!object.is_object()) throw Failure(ExitCode::file, "the results file holds no JSON object in: " + cell);
  pairs.clear();
  for (const auto& [key, value] : object.items())
    pairs.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace breakeven
