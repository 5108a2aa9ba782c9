// SPDX-License-Identifier: Apache-2.0
#include "src/report/vocabulary.h"
#include "src/report/columns.h"

#include <array>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "src/analysis/loss_budget.h"
#include "src/core/phase.h"
#include "src/report/claim_check.h"
#include "src/report/group_words.h"
#include "src/report/numbers.h"
#include "src/statistics/payoff.h"

namespace breakeven {
namespace {

using Json = nlohmann::ordered_json;

DeclaredColumns columns_of_formats() {
  DeclaredColumns columns;
  for (const NumberFormat& format : number_formats())
    columns.push_back(datum(format.name, "", "a kind of number"));
  return columns;
}

// Of a step's phases as they are drawn: in the order of time, and the overhead, which lies between all, last.
constexpr std::array drawn_phases{Phase::input,     Phase::forward,   Phase::backward,
                                  Phase::collect,   Phase::wait,      Phase::exchange,
                                  Phase::optimizer, Phase::broadcast, Phase::overhead};
static_assert(drawn_phases.size() == phase_count - 1, "all but the step itself");

const DeclaredTable declared_words{
    {.command = "report",
     .json = "vocabulary",
     .page = "report.md#for-machines",
     .columns =
         joined({{datum("same_within", "share", "speeds this close count as the same"),
                  datum("phases", "", "in drawing order"), datum("loss_parts", "", "in drawing order"),
                  datum("verdicts", "", "in drawing order"), datum("claim_verdicts", "", "in drawing order"),
                  datum("key", "", "as in keys of tables"), columns::label.meant("as in pictures"),
                  datum("meaning", "", "what it is"), datum("formats", "", "by kind of number"),
                  datum("digits", "", "significant ones"), datum("units", "", "smallest first"),
                  datum("size", "", "of a unit, in base units"), columns::name.meant("of a unit")},
                 columns_of_formats()})}};

Json phases_of_a_step() {
  Json list = Json::array();
  for (const Phase phase : drawn_phases)
    list.push_back(
        {{"key", name_of(phase)}, {"label", name_of(phase)}, {"meaning", phases[index_of(phase)].covers}});
  return list;
}

Json parts_of_a_loss() {
  Json list = Json::array();
  for (const analysis::LossPartInfo& part : analysis::loss_parts)
    list.push_back({{"key", part.key}, {"label", part.label}, {"meaning", part.meaning}});
  return list;
}

// In the order of a legend.
Json verdicts_in_order() {
  Json list = Json::array();
  for (const Payoff verdict :
       {Payoff::pays, Payoff::does_not_pay, Payoff::same, Payoff::undecided, Payoff::not_measured})
    list.push_back({{"key", word_of(verdict)}, {"label", phrase_of({.verdict = verdict})}});
  for (const auto& [key, label] : {is_baseline, chose_one_gpu, is_overhead})
    list.push_back({{"key", key}, {"label", label}});
  return list;
}

Json claim_verdicts() {
  Json list = Json::array();
  for (const ClaimVerdict verdict :
       {ClaimVerdict::holds, ClaimVerdict::does_not_hold, ClaimVerdict::not_decided})
    list.push_back({{"key", word_of(verdict)}, {"label", phrase_of(verdict)}});
  return list;
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
      {"same_within", practical_equivalence}, {"phases", phases_of_a_step()},
      {"loss_parts", parts_of_a_loss()},      {"verdicts", verdicts_in_order()},
      {"claim_verdicts", claim_verdicts()},   {"formats", formats()},
  };
}

}  // namespace breakeven
