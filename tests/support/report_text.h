// SPDX-License-Identifier: Apache-2.0
// A report of results, as tests look at it.
#pragma once

#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "src/report/advice/advice_report.h"
#include "src/report/report.h"

namespace breakeven {

// Line breaks and blanks do not matter to a sentence.
inline std::string on_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

// Every section in whole.
inline std::string text_of(const Results& results) {
  return report::make_report(results, {.sections = {"all"}});
}

inline std::string brief_of(const Results& results) { return on_one_line(report::make_report(results, {})); }

// All advice on one line; a refusal is a Failure.
inline std::string advice_of(const Results& results, const std::string& model, std::uint32_t batch) {
  const analysis::FileAnalysis file(results);
  report::AdviceRequest request;
  request.query.model = model;
  request.query.batch = batch;
  request.sections = {"all"};
  return on_one_line(report::make_advice_report(file, request, report::ReportFormat::text));
}

inline nlohmann::json json_of(const Results& results) {
  return nlohmann::json::parse(report::make_report(results, {.format = report::ReportFormat::json}));
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace breakeven
