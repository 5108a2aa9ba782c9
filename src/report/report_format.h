// SPDX-License-Identifier: Apache-2.0
// The value of --format, which all commands that print tables share.
#pragma once

#include <string>
#include <variant>

#include "src/core/text/usage.h"
#include "src/report/report.h"

namespace breakeven {

std::variant<ReportFormat, UsageError> parse_format(const std::string& word);

}  // namespace breakeven
