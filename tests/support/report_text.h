// SPDX-License-Identifier: Apache-2.0
// A report of results, as tests look at it.
#pragma once

#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "src/report/report.h"

namespace breakeven {

// Every section in whole.
inline std::string text_of(const Results& results) {
  return report::make_report(results, {.sections = {"all"}});
}

inline nlohmann::json json_of(const Results& results) {
  return nlohmann::json::parse(report::make_report(results, {.format = report::ReportFormat::json}));
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Line breaks and blanks do not matter to a sentence.
inline std::string on_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace breakeven
