// SPDX-License-Identifier: Apache-2.0
// The report: the sections that were asked for, or a brief report that names what it leaves out.
#include "src/report/report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/text/lists.h"
#include "src/report/json_report.h"
#include "src/report/report_sections.h"

namespace breakeven::report {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// What the section is to print; empty: nothing.
template <typename... Of>
std::function<void(Document&, Of...)> printer_of(const Section<Of...>& section, const Names& asked) {
  if (asked.empty()) return section.brief;
  if (contains(asked, every_section) || contains(asked, section.name)) return section.whole;
  return {};
}

void add_file_sections(const std::vector<FileSection>& sections, const analysis::FileAnalysis& analysis,
                       const Names& asked, Document& document) {
  for (const FileSection& section : sections) {
    if (const auto print = printer_of(section, asked)) print(document, analysis);
  }
}

// No heading where nothing stands under it.
void add_group(const analysis::FileAnalysis& analysis, const analysis::Group& group, const Names& asked,
               Document& document) {
  Document tables;
  for (const GroupSection& section : group_sections()) {
    if (const auto print = printer_of(section, asked)) print(tables, analysis, group);
  }
  if (tables.is_empty()) return;
  document.heading(2, title_of(analysis, group));
  document.paragraph(settings_of(group) +
                     " Every speed-up is over 'single' on one GPU with the same settings.");
  document.append(std::move(tables));
}

// What a brief report shortens, and what it leaves out.
struct Omissions {
  Names in_brief, left_out;
};

template <typename... Of>
Extent extent_in_brief(const Section<Of...>& section, Of... of) {
  return section.in_brief == nullptr ? Extent::nothing : section.in_brief(of...);
}

template <typename... Of>
void note(const Section<Of...>& section, const std::vector<Extent>& extents, Omissions& omissions) {
  const auto count = [&](Extent extent) {
    return static_cast<std::size_t>(std::ranges::count(extents, extent));
  };
  if (count(Extent::whole) == extents.size()) return;
  if (count(Extent::nothing) == extents.size()) {
    omissions.left_out.emplace_back(section.name);
  } else {
    omissions.in_brief.emplace_back(section.name);
  }
}

void note_file_sections(const std::vector<FileSection>& sections, const analysis::FileAnalysis& analysis,
                        Omissions& omissions) {
  for (const FileSection& section : sections) {
    std::vector<Extent> extents;
    if (section.has_content != nullptr && section.has_content(analysis))
      extents.push_back(extent_in_brief<const analysis::FileAnalysis&>(section, analysis));
    note(section, extents, omissions);
  }
}

void note_group_sections(const analysis::FileAnalysis& analysis, Omissions& omissions) {
  for (const GroupSection& section : group_sections()) {
    std::vector<Extent> extents;
    for (const analysis::Group& group : analysis.groups()) {
      if (section.has_content != nullptr && section.has_content(analysis, group))
        extents.push_back(
            extent_in_brief<const analysis::FileAnalysis&, const analysis::Group&>(section, analysis, group));
    }
    note(section, extents, omissions);
  }
}

void add_omissions(const analysis::FileAnalysis& analysis, Document& document) {
  Omissions omissions;
  note_file_sections(first_sections(), analysis, omissions);
  note_group_sections(analysis, omissions);
  note_file_sections(last_sections(), analysis, omissions);
  if (omissions.in_brief.empty() && omissions.left_out.empty()) return;
  document.heading(2, "More");
  document.paragraph(
      "--sections NAME,NAME,... prints these sections in full, --sections all prints everything.");
  if (!omissions.in_brief.empty()) document.item("Shortened above: " + join_list(omissions.in_brief) + ".");
  if (!omissions.left_out.empty()) document.item("Left out: " + join_list(omissions.left_out) + ".");
}

Document document_of(const analysis::FileAnalysis& analysis, const ReportRequest& request) {
  Document document;
  document.heading(1, "breakeven report: " + analysis.results().path);
  if (!request.shown.are_all()) {
    document.paragraph(fmt::format(
        "Shown: {}. Verdicts are corrected for multiple comparisons over all cases, shown or not.",
        in_words(request.shown)));
  }
  add_file_sections(first_sections(), analysis, request.sections, document);
  for (const analysis::Group& group : analysis.groups())
    add_group(analysis, group, request.sections, document);
  add_file_sections(last_sections(), analysis, request.sections, document);
  if (request.sections.empty()) add_omissions(analysis, document);
  document.paragraph("A dash (–) means not measured. docs/numbers.md explains every number.");
  return document;
}

}  // namespace

std::string make_report(const Results& results, const ReportRequest& request) {
  const analysis::FileAnalysis analysis(results, {.shown = request.shown,
                                                  .memory_limit_bytes = request.memory_limit_bytes,
                                                  .price_an_hour = request.price_an_hour});
  return print({.whole = whole_report(),
                .document = [&] { return document_of(analysis, request); },
                .rows = [&] { return tidy_cases(analysis); },
                .json = [&] { return json_report(analysis); }},
               request.format);
}

}  // namespace breakeven::report
