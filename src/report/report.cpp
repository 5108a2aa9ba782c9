// SPDX-License-Identifier: Apache-2.0
// The report: the sections that were asked for, or a brief report that names what it leaves out.
#include "src/report/report.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/text/lists.h"
#include "src/report/json_report.h"
#include "src/report/sections/report_sections.h"

namespace breakeven::report {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// How much of a section's content a brief report prints.
enum class Extent { nothing, part, whole };

// By section, of each file or group that it has content for.
using Extents = std::map<std::string, std::vector<Extent>, std::less<>>;

template <typename... Of>
Document printed(const std::function<void(Document&, Of...)>& print, Of... of) {
  Document document;
  if (print) print(document, of...);
  return document;
}

template <typename... Of>
void add_section(const Section<Of...>& section, const Names& asked, Document& document, Extents& extents,
                 Of... of) {
  if (!asked.empty()) {
    if (contains(asked, every_section) || contains(asked, section.name)) section.whole(document, of...);
    return;
  }
  // That one file or group has content is enough to name a section that a brief report leaves out.
  if (!section.brief && extents.contains(section.name)) return;
  Document brief = printed<Of...>(section.brief, of...);
  const Document whole = section.brief_names_rest ? Document() : printed<Of...>(section.whole, of...);
  if (!whole.is_empty())
    extents[std::string(section.name)].push_back(brief.is_empty()                ? Extent::nothing
                                                 : brief.says_the_same_as(whole) ? Extent::whole
                                                                                 : Extent::part);
  document.append(std::move(brief));
}

void add_file_sections(const std::vector<FileSection>& sections, const AnalysedFile& file, const Names& asked,
                       Document& document, Extents& extents) {
  for (const FileSection& section : sections)
    add_section<const AnalysedFile&>(section, asked, document, extents, file);
}

// No heading where nothing stands under it.
void add_group(const AnalysedFile& file, const analysis::Group& group, const Names& asked, Document& document,
               Extents& extents) {
  Document tables;
  for (const GroupSection& section : group_sections())
    add_section<const AnalysedFile&, const analysis::Group&>(section, asked, tables, extents, file, group);
  if (tables.is_empty()) return;
  document.heading(2, title_of(file.analysis, group));
  document.paragraph(settings_of(group) +
                     " Every speed-up is over 'single' on one GPU with the same settings.");
  document.append(std::move(tables));
}

// Names the sections that a brief report shortens, and those that it leaves out.
void add_omissions(const Extents& extents, Document& document) {
  Names shortened, left_out;
  for (const std::string& name : section_names()) {
    const auto found = extents.find(name);
    if (found == extents.end()) continue;
    const auto are_all = [&](Extent extent) {
      return std::ranges::all_of(found->second, [&](Extent one) { return one == extent; });
    };
    if (!are_all(Extent::whole)) (are_all(Extent::nothing) ? left_out : shortened).push_back(name);
  }
  if (shortened.empty() && left_out.empty()) return;
  document.heading(2, "More");
  std::string text(how_to_print_more);
  if (!shortened.empty()) text += " Shortened above: " + join_list(shortened) + ".";
  if (!left_out.empty()) text += " Left out: " + join_list(left_out) + ".";
  document.paragraph(text);
}

Document document_of(const analysis::FileAnalysis& analysis, const ReportRequest& request) {
  const AnalysedFile file{analysis};
  Document document;
  Extents extents;
  document.heading(1, "breakeven report: " + analysis.results().path);
  if (!request.shown.are_all()) {
    document.paragraph(fmt::format(
        "Shown: {}. Verdicts are corrected for multiple comparisons over all cases, shown or not.",
        in_words(request.shown)));
  }
  add_file_sections(first_sections(), file, request.sections, document, extents);
  for (const analysis::Group& group : analysis.groups())
    add_group(file, group, request.sections, document, extents);
  add_file_sections(last_sections(), file, request.sections, document, extents);
  add_omissions(extents, document);
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
                .json = [&] { return json_report(analysis); },
                .docs = request.docs},
               request.format);
}

}  // namespace breakeven::report
