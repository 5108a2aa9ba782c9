// SPDX-License-Identifier: Apache-2.0
#include "src/report/machines/machine_answers.h"

#include <algorithm>
#include <utility>

namespace breakeven::report {

MachineAnswer::MachineAnswer(const AskedMachine& asked)
    : asked(asked),
      advisor(*asked.file),
      configs(advisor.configurations(asked.request.query)),
      jobs(predict::estimate_jobs(configs, asked.request.costs.job, advisor)) {
  if (configs.empty()) return;
  const predict::Configuration* more = predict::fastest_shared(configs);
  const predict::Configuration* one =
      more == nullptr ? nullptr : predict::fastest_single(configs, more->what.precision);
  for (Turning& turning : look_around(advisor, *asked.file, asked.request.query, one))
    if (turning.key == "batch" && !turning.plan) along_batches = std::move(turning);
}

MachineAnswers::MachineAnswers(const std::vector<AskedMachine>& asked)
    : asked(asked), job(asked.front().request.costs.job) {
  for (const AskedMachine& one : asked) {
    machines.emplace_back(one);
    named.push_back(one);
  }
  for (const MachineAnswer& machine : machines) {
    all.insert(all.end(), machine.jobs.begin(), machine.jobs.end());
    add_choices(machine);
  }
  best = has_deadline() ? predict::best_in_time(all) : predict::cheapest_of(all);
}

const MachineAnswer& MachineAnswers::machine_of(const predict::JobEstimate& one) const {
  return *std::ranges::find_if(machines, [&](const MachineAnswer& machine) {
    return std::ranges::find(machine.jobs, one.configuration, &predict::JobEstimate::configuration) !=
           machine.jobs.end();
  });
}

void MachineAnswers::add_choices(const MachineAnswer& machine) {
  const predict::JobEstimate* fastest = predict::fastest_of(machine.jobs);
  const predict::JobEstimate* cheapest =
      has_deadline() ? predict::best_in_time(machine.jobs) : predict::cheapest_of(machine.jobs);
  if (cheapest == fastest) {
    const bool is_late = fastest != nullptr && has_deadline() && fastest->in_time == predict::InTime::no;
    choices.push_back({&machine,
                       fastest == nullptr ? ""
                       : is_late          ? "fastest"
                                          : "fastest, cheapest",
                       fastest});
    return;
  }
  choices.push_back({&machine, "fastest", fastest});
  choices.push_back({&machine, "cheapest", cheapest});
}

}  // namespace breakeven::report
