// SPDX-License-Identifier: Apache-2.0
// Options that several commands take. Each function adds those of its name; what it stores into must live
// until they are read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/core/precision.h"
#include "src/core/text/command_options.h"
#include "src/predict/configuration.h"
#include "src/report/format/report_format.h"

namespace breakeven::command {

void add_format(CommandOptions& options, report::ReportFormat& format);
// Into `path`, "": standard output. The results file is an option here, not a positional.
void add_output(CommandOptions& options, std::string& path);

struct AnswerPlace {
  report::ReportFormat format = report::ReportFormat::text;
  std::string path;
};
// Both. Text on a terminal may have colours.
void add_format_and_output(CommandOptions& options, AnswerPlace& place);
// Behind them: where Markdown's links to the docs lead.
void add_docs(CommandOptions& options, const AnswerPlace& place, std::string& docs);

// What is printed as text or markdown: `described` sections, or all of them. problem_of_sections() is "" if
// `names` has every section.
void add_sections(CommandOptions& options, const std::vector<std::string>& described,
                  std::vector<std::string>& sections);
std::string problem_of_sections(const std::vector<std::string>& sections, std::vector<std::string> names);
bool is_for_programs(report::ReportFormat format);

void add_precisions(CommandOptions& options, const std::string& preset, const std::string& meaning,
                    std::vector<Precision>& precisions);
void add_memory_limit(CommandOptions& options, const std::string& meaning, std::uint64_t& bytes);

// What is predicted. problem_of_case() is "" if both are given.
void add_model_and_batch(CommandOptions& options, const char* meaning_of_batch, predict::Query& query);
std::string problem_of_case(const predict::Query& query);
// --precisions, --lossy, --memory-limit.
void add_limits(CommandOptions& options, predict::Query& query);

}  // namespace breakeven::command
