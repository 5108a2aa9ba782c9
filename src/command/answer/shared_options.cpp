// SPDX-License-Identifier: Apache-2.0
#include "src/command/answer/shared_options.h"

#include "src/core/text/lists.h"
#include "src/core/text/terminal.h"
#include "src/core/text/text_file.h"
#include "src/report/report.h"

namespace breakeven::command {

void add_format(CommandOptions& options, report::ReportFormat& format) {
  options.add("format", "text", "text, markdown, csv or json",
              [&format](const std::string& word) -> std::string {
                const auto parsed = report::parse_format(word);
                if (const auto* error = std::get_if<UsageError>(&parsed)) return error->sentence;
                format = std::get<report::ReportFormat>(parsed);
                return "";
              });
}

void add_output(CommandOptions& options, std::string& path) {
  options.add("output", path, "write to this file, not to standard output", "FILE");
  options.check([&path] { return problem_of_overwriting("output", path); });
}

void add_format_and_output(CommandOptions& options, AnswerPlace& place) {
  add_format(options, place.format);
  add_output(options, place.path);
  options.check([&place] {
    if (place.format == report::ReportFormat::text && place.path.empty() && shows_colour())
      place.format = report::ReportFormat::terminal;
    return std::string();
  });
}

void add_docs(CommandOptions& options, const AnswerPlace& place, std::string& docs) {
  options.add("docs", docs,
              "address of breakeven's docs, such as ../docs: markdown links each warning's remedy",
              "ADDRESS");
  options.check([&place, &docs] {
    return docs.empty() || place.format == report::ReportFormat::markdown
               ? ""
               : "--docs is for links, which only --format markdown has";
  });
}

void add_sections(CommandOptions& options, const std::vector<std::string>& described,
                  std::vector<std::string>& sections) {
  options.add_list(
      "sections", "",
      fmt::format("print only these sections, in full, as text or markdown: {}, or {}; default: "
                  "a brief report",
                  join_list(described), report::every_section),
      [&sections](const std::string& list) { return sections = split_list(list), std::string(); });
}

std::string problem_of_sections(const std::vector<std::string>& sections, std::vector<std::string> names) {
  names.emplace_back(report::every_section);
  for (const std::string& section : sections)
    if (std::string problem = problem_of_word("sections", section, names); !problem.empty()) return problem;
  return "";
}

bool is_for_programs(report::ReportFormat format) {
  return format == report::ReportFormat::csv || format == report::ReportFormat::json;
}

void add_precisions(CommandOptions& options, const std::string& preset, const std::string& meaning,
                    std::vector<Precision>& precisions) {
  options.add_list("precisions", preset, meaning,
                   list_of_words("precisions", legal_words<Precision>(), precisions));
}

void add_memory_limit(CommandOptions& options, const std::string& meaning, std::uint64_t& bytes) {
  options.add("memory-limit", "", meaning,
              parsed_by(parse_bytes, "memory-limit", "a size such as 12GB or 80GiB", bytes), "SIZE");
}

void add_model_and_batch(CommandOptions& options, const char* meaning_of_batch, predict::Query& query) {
  options.add("model", query.model, "model by name, or by its layer widths, such as 784-2048-10", "MODEL");
  options.add_without_default("batch", query.batch, meaning_of_batch);
}

std::string problem_of_case(const predict::Query& query) {
  if (query.model.empty()) return "--model is missing: a named model, or its widths as in 784-2048-10";
  if (query.batch == 0) return "--batch is missing or 0: pass a whole number of samples from 1 on";
  return "";
}

void add_limits(CommandOptions& options, predict::Query& query) {
  add_precisions(options, "", "precisions to choose from (default: all that were measured)",
                 query.precisions);
  options.add_switch("lossy", query.with_lossy,
                     "also consider strategies that do not compute the same as one GPU");
  add_memory_limit(options, "memory of a GPU, such as 12GB (default: as measured)", query.memory_limit_bytes);
}

}  // namespace breakeven::command
