// SPDX-License-Identifier: Apache-2.0
#include "src/report/machines/side_by_side.h"

#include <algorithm>
#include <utility>

namespace breakeven::report {
namespace {

// One choice for each quantity; one for both where they are the same case.
JudgedChoices choices_of(const NamedMachine& machine, const std::string& model,
                         std::optional<std::uint32_t> batch, const Quantity& time, const Quantity& money) {
  JudgedChoices choices;
  if (const auto fastest = least_of(machine, model, batch, time)) choices.push_back({"fastest", *fastest});
  if (const auto cheapest = least_of(machine, model, batch, money)) {
    if (!choices.empty() && choices.front().is.result == cheapest->result)
      choices.front().word = "fastest, cheapest";
    else
      choices.push_back({"cheapest", *cheapest});
  }
  return choices;
}

}  // namespace

SideBySide::SideBySide(const std::vector<NamedMachine>& all) : machines(all), models(common_models(all)) {
  for (const NamedMachine& machine : machines) verdicts.push_back(verdicts_of(*machine.file));
  for (const std::string& model : models) {
    const auto batch = common_batch(model, machines);
    for (std::size_t i = 0; i < machines.size(); ++i) add_rows(i, model, batch);
  }
  if (!has_one_quality()) return;
  for (const std::string& model : models)
    for (const NamedMachine& machine : machines)
      for (JudgedChoice& one : choices_of(machine, model, {}, seconds_to_quality, money_to_quality))
        to_quality.push_back(std::move(one));
}

const Verdict* SideBySide::verdict_of(std::size_t machine, const JudgedCase& one) const {
  const Verdict* found = nullptr;
  for (const Verdict& verdict : verdicts[machine]) {
    const auto is_same = [&](const analysis::CaseResult& result) { return &result == one.result; };
    if (!std::ranges::any_of(verdict.group->cases, is_same)) continue;
    if (verdict.curve.gpus == one.what().gpus) return &verdict;
    if (found == nullptr) found = &verdict;
  }
  return found;
}

void SideBySide::add_rows(std::size_t i, const std::string& model, std::optional<std::uint32_t> batch) {
  const NamedMachine& machine = machines[i];
  if (!batch) {
    for (const Verdict& verdict : verdicts[i])
      if (verdict.group->key->model == model) rows.push_back({&machine, model, &verdict, {}});
    return;
  }
  for (JudgedChoice& one : choices_of(machine, model, batch, seconds_a_sample, money_a_million)) {
    const Verdict* verdict = verdict_of(i, one.is);
    rows.push_back({&machine, model, verdict, std::move(one)});
  }
}

}  // namespace breakeven::report
