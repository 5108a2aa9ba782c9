// SPDX-License-Identifier: Apache-2.0
// The words of a report as JSON: axes, phases, parts of a loss, verdicts and formats of numbers. Readers such
// as the Python package take them from here, and have no lists of their own.
#include <string>

#include <nlohmann/json.hpp>

#include "src/analysis/case_summary.h"
#include "src/analysis/loss_budget.h"
#include "src/core/phase.h"
#include "src/report/claim_check.h"
#include "src/report/columns.h"
#include "src/report/group_words.h"
#include "src/report/json_report.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"
#include "src/statistics/payoff.h"

namespace breakeven::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view vocabulary_page = "report.md#for-machines";

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

const DeclaredColumn key = words("key", "", "as in keys of tables").always_known();
const DeclaredColumn label = columns::label.meant("as in pictures").always_known();
const DeclaredColumn meaning = words("meaning", "", "what it is").always_known();
const DeclaredTable declared_terms[]{
    DeclaredTable{
        {.command = "report",
         .json = "vocabulary.axes",
         .page = vocabulary_page,
         .columns = {key, label, words("unit", "", "of its values"), meaning,
                     words("phrase", "", "of a setting in titles: its value stands for `{}`"),
                     words("phrase_without", "", "if its value is empty or false; empty: `phrase`")}}},
    DeclaredTable{{.command = "report",
                   .json = "vocabulary.phases",
                   .page = vocabulary_page,
                   .columns = {key, label, meaning}}},
    DeclaredTable{{.command = "report",
                   .json = "vocabulary.loss_parts",
                   .page = vocabulary_page,
                   .columns = {key, label, meaning}}},
    DeclaredTable{{.command = "report",
                   .json = "vocabulary.verdicts",
                   .page = vocabulary_page,
                   .columns = {key, label}}},
    DeclaredTable{{.command = "report",
                   .json = "vocabulary.claim_verdicts",
                   .page = vocabulary_page,
                   .columns = {key, label}}},
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
  Json list = Json::array();
  for (const AxisInfo& info : axes()) {
    const auto [phrase, without] = setting_phrase(info.axis);
    list.push_back({{"key", info.key},
                    {"label", info.label},
                    {"unit", info.unit},
                    {"meaning", info.meaning},
                    {"phrase", phrase},
                    {"phrase_without", without}});
  }
  return list;
}

Json phases_of_a_step() {
  Json list = Json::array();
  for (const Phase phase : phases_in_time_order) {
    const PhaseInfo& info = info_of(phase);
    list.push_back({{"key", info.name}, {"label", info.name}, {"meaning", info.covers}});
  }
  return list;
}

Json parts_of_a_loss() {
  Json list = Json::array();
  for (const analysis::LossPartInfo& part : analysis::loss_parts)
    list.push_back({{"key", part.key}, {"label", part.label}, {"meaning", part.meaning}});
  return list;
}

// The best first.
Json verdicts_in_order() {
  Json list = Json::array();
  for (auto info = statistics::verdicts.rbegin(); info != statistics::verdicts.rend(); ++info)
    list.push_back(
        {{"key", info->key}, {"label", phrase_of(statistics::Decision{.verdict = info->verdict})}});
  for (const auto& [key, label] : {is_baseline, chose_one_gpu, is_overhead})
    list.push_back({{"key", key}, {"label", label}});
  return list;
}

Json verdicts_on_claims() {
  Json list = Json::array();
  for (const ClaimVerdictInfo& info : claim_verdict_words)
    list.push_back({{"key", info.key}, {"label", info.phrase}});
  return list;
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

Json json_vocabulary() {
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
