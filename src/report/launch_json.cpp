// SPDX-License-Identifier: Apache-2.0
#include "src/report/launch_json.h"
#include "src/report/columns.h"

#include <nlohmann/json.hpp>

#include "src/report/machine.h"

namespace breakeven {
namespace {

using Json = nlohmann::ordered_json;

Json as_object(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json object = Json::object();
  for (const auto& [name, value] : pairs) object[name] = value;
  return object;
}

}  // namespace

DeclaredColumns launch_columns() {
  return {columns::format,   columns::version,  columns::machine,  columns::started,    columns::command_line,
          columns::revision, columns::versions, columns::settings, columns::environment};
}

Json launch_as_json(const Launch& launch) {
  return {{"machine", machine_name(launch.topology)},    {"started", launch.started},
          {"command_line", launch.command_line},         {"revision", launch.git_revision},
          {"versions", as_object(launch.versions)},      {"settings", as_object(launch.settings)},
          {"environment", as_object(launch.environment)}};
}

}  // namespace breakeven
