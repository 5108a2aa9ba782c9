// SPDX-License-Identifier: Apache-2.0
// The words of a report as JSON: axes, phases, parts of a loss, verdicts and formats of numbers. Readers such
// as the Python package take them from here, and have no lists of their own.
#include <string>

#include <nlohmann/json.hpp>

#include "src/analysis/case_summary.h"
#include "src/analysis/loss_budget.h"
#include "src/core/phase.h"
#include "src/report/claims/claim_check.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/json_report.h"
#include "src/report/sections/group_words.h"
#include "src/report/sections/sections.h"
#include "src/report/tidy/tidy_row.h"
#include "src/statistics/payoff.h"

namespace breakeven::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view vocabulary_page = "report.md#csv-json-and-figures-of-merit";

DeclaredColumns columns_of_formats() {
  DeclaredColumns columns;
  for (const NumberFormat& format : number_formats())
    columns.push_back(datum(format.name, "", "a kind of number"));
  return columns;
}

const DeclaredTable declared_words{
    {.command = "report",
     .json = "vocabulary",
     .page = vocabulary_page,
     .is_one = true,
     .columns = {datum("same_within", "share", "speeds this close count as the same"),
                 datum("timing_overhead_tolerance", "share",
                       "phases of steps that phase timing changed by more do not explain speeds"),
                 datum("axes", "", "of a case"), datum("phases", "", "in drawing order"),
                 datum("loss_parts", "", "in drawing order"), datum("verdicts", "", "the best first"),
                 datum("claim_verdicts", "", "the best first"),
                 words("phases_not_recorded", "", "in place of a loss budget"),
                 datum("percent", "", "how shares are printed"),
                 datum("ratio", "", "how ratios are printed, such as speed-ups"),
                 datum("formats", "", "by kind of number")}}};

struct Term {
  std::string_view key;
  std::string label;
  std::string_view unit = "";
  std::string_view meaning = "";
  std::string_view phrase = "";
  std::string_view phrase_without = "";
};
const TidyPart<Term> key(words("key", "", "as in keys of tables").always_known(),
                         [](auto& term) { return Cell(term.key); });
const TidyPart<Term> label(columns::label.meant("as in pictures").always_known(),
                           [](auto& term) { return Cell(term.label); });
const TidyPart<Term> unit(words("unit", "", "of its values"), [](auto& term) { return Cell(term.unit); });
const TidyPart<Term> meaning(words("meaning", "", "what it is").always_known(),
                             [](auto& term) { return Cell(term.meaning); });
const TidyPart<Term> phrase(words("phrase", "", "of a setting in titles: its value stands for `{}`"),
                            [](auto& term) { return Cell(term.phrase); });
const TidyPart<Term> phrase_without(words("phrase_without", "",
                                          "if its value is empty or false; empty: `phrase`"),
                                    [](auto& term) { return Cell(term.phrase_without); });

TableDeclaration list_of(std::string_view json) {
  return {.command = "report", .json = json, .page = vocabulary_page};
}
const TidyTable<Term> axis_terms(list_of("vocabulary.axes"),
                                 {key, label, unit, meaning, phrase, phrase_without});
const TidyTable<Term> phase_terms(list_of("vocabulary.phases"), {key, label, meaning});
const TidyTable<Term> loss_terms(list_of("vocabulary.loss_parts"), {key, label, meaning});
const TidyTable<Term> verdict_terms(list_of("vocabulary.verdicts"), {key, label});
const TidyTable<Term> claim_terms(list_of("vocabulary.claim_verdicts"), {key, label});
const DeclaredTable declared_formats[]{
    DeclaredTable{{.command = "report",
                   .json = "vocabulary.percent",
                   .page = vocabulary_page,
                   .is_one = true,
                   .columns = {number("digits", "", "", "significant ones of a small percent"),
                               number("whole_from", "", "%", "larger ones are whole")}}},
    DeclaredTable{{.command = "report",
                   .json = "vocabulary.ratio",
                   .page = vocabulary_page,
                   .is_one = true,
                   .columns = {number("decimals", "", "", "of a ratio and of the ends of its interval"),
                               number("large", "", "", "from where on a ratio is large"),
                               number("large_digits", "", "", "significant ones of a large ratio alone"),
                               number("large_decimals", "", "", "of a large ratio with an interval"),
                               number("wide_factor", "", "", "by which the ends of a wide interval differ"),
                               number("wide_digits", "", "", "significant ones with a wide interval"),
                               number("narrow_width", "", "", "intervals below it are narrow"),
                               number("narrow_decimals", "", "", "with a narrow interval")}}},
    DeclaredTable{{.command = "report",
                   .json = "vocabulary.formats",
                   .page = vocabulary_page,
                   .is_one = true,
                   .columns = columns_of_formats()}},
    DeclaredTable{
        {.command = "report",
         .json = "vocabulary.formats.*",
         .page = vocabulary_page,
         .is_one = true,
         .columns = {number("digits", "", "", "significant ones"), datum("units", "", "smallest first")}}},
    DeclaredTable{
        {.command = "report",
         .json = "vocabulary.formats.*.units",
         .page = vocabulary_page,
         .columns = {number("size", "", "", "of a unit, in base units"), columns::name.meant("of a unit")}}}};

Json axes_of_a_case() {
  ReportTable table = axis_terms.empty();
  for (const AxisInfo& info : axes())
    axis_terms.add(
        {info.key, std::string(info.label), info.unit, info.meaning, info.phrase, info.phrase_without},
        table);
  return render_json(table);
}

Json phases_of_a_step() {
  ReportTable table = phase_terms.empty();
  for (const Phase phase : phases_in_time_order) {
    const PhaseInfo& info = info_of(phase);
    phase_terms.add({.key = info.name, .label = std::string(info.name), .meaning = info.covers}, table);
  }
  return render_json(table);
}

Json parts_of_a_loss() {
  ReportTable table = loss_terms.empty();
  for (const analysis::LossPartInfo& part : analysis::loss_parts)
    loss_terms.add({.key = part.key, .label = std::string(part.label), .meaning = part.meaning}, table);
  return render_json(table);
}

// The best first.
Json verdicts_in_order() {
  ReportTable table = verdict_terms.empty();
  for (auto info = statistics::verdicts.rbegin(); info != statistics::verdicts.rend(); ++info)
    verdict_terms.add({info->key, phrase_of(statistics::Decision{.verdict = info->verdict})}, table);
  for (const auto& [key, label] : {is_baseline, chose_one_gpu, is_overhead})
    verdict_terms.add({key, std::string(label)}, table);
  return render_json(table);
}

Json verdicts_on_claims() {
  ReportTable table = claim_terms.empty();
  for (const ClaimVerdictInfo& info : claim_verdict_words)
    claim_terms.add({info.key, std::string(info.phrase)}, table);
  return render_json(table);
}

Json rules_of_ratios() {
  const RatioFormat& rule = ratio_format;
  return {{"decimals", rule.decimals},         {"large", rule.large},
          {"large_digits", rule.large_digits}, {"large_decimals", rule.large_decimals},
          {"wide_factor", rule.wide_factor},   {"wide_digits", rule.wide_digits},
          {"narrow_width", rule.narrow_width}, {"narrow_decimals", rule.narrow_decimals}};
}

Json formats() {
  Json object = Json::object();
  for (const NumberFormat& format : number_formats()) {
    Json units = Json::array();
    for (const NumberUnit& unit : format.units) units.push_back({{"size", unit.size}, {"name", unit.name}});
    object[std::string(format.name)] = {{"digits", format.digits}, {"units", units}};
  }
  return object;
}

}  // namespace

Json json_vocabulary(const std::string& phases_not_recorded) {
  return {
      {"same_within", statistics::practical_equivalence},
      {"timing_overhead_tolerance", analysis::timing_overhead_tolerance},
      {"axes", axes_of_a_case()},
      {"phases", phases_of_a_step()},
      {"loss_parts", parts_of_a_loss()},
      {"verdicts", verdicts_in_order()},
      {"claim_verdicts", verdicts_on_claims()},
      {"phases_not_recorded", phases_not_recorded},
      {"percent", {{"digits", percent_format.digits}, {"whole_from", percent_format.whole_from}}},
      {"ratio", rules_of_ratios()},
      {"formats", formats()},
  };
}

}  // namespace breakeven::report
