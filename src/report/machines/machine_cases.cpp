// SPDX-License-Identifier: Apache-2.0
#include "src/report/machines/machine_cases.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "src/core/strategy/case_strategy.h"
#include "src/predict/configuration.h"
#include "src/report/sections/sections.h"
#include "src/statistics/break_even.h"

namespace breakeven::report {
namespace {

constexpr double hour_seconds = 3600;

// Both have independent errors: one / (1 / other).
statistics::Interval product(const statistics::Interval& one, const statistics::Interval& other) {
  return statistics::quotient(one, {1 / other.centre, 1 / other.high, 1 / other.low, other.n});
}

bool is_judged(const analysis::CaseResult& result) {
  const Case& what = result.measured->what;
  return !result.measured->timed().done.empty() && what.chosen.empty() && !traits_of(what).copies &&
         predict::is_configuration(what);
}

std::set<std::uint32_t> batches_of(const NamedMachine& machine, const std::string& model) {
  std::set<std::uint32_t> batches;
  for (const analysis::Group& group : machine.file->groups())
    for (const analysis::CaseResult& result : group.cases)
      if (result.measured->what.model == model && is_judged(result) && is_exact(result.measured->what))
        batches.insert(result.measured->what.batch);
  return batches;
}

std::set<std::string> transports_of(const NamedMachine& machine, const std::string& model,
                                    std::uint32_t batch) {
  std::set<std::string> transports;
  for (const analysis::Group& group : machine.file->groups())
    for (const analysis::CaseResult& line : group.lines) {
      const Case& what = line.measured->what;
      if (what.model == model && what.batch == batch && is_judged(line) && is_exact(what))
        transports.insert(word_of(Axis::transport, what));
    }
  return transports;
}

// What every machine has of a set.
template <typename SetOf>
auto common_to_all(const std::vector<NamedMachine>& machines, SetOf set_of) {
  auto common = set_of(machines.front());
  for (const NamedMachine& machine : machines)
    std::erase_if(common, [own = set_of(machine)](const auto& one) { return !own.contains(one); });
  return common;
}

}  // namespace

std::vector<std::string> common_models(const std::vector<NamedMachine>& machines) {
  std::vector<std::string> models;
  for (const analysis::Group& group : machines.front().file->groups()) {
    const std::string model = group.key->model;
    const auto has_it = [&](const NamedMachine& machine) { return !batches_of(machine, model).empty(); };
    if (std::ranges::find(models, model) == models.end() && std::ranges::all_of(machines, has_it))
      models.push_back(model);
  }
  return models;
}

std::optional<std::uint32_t> common_batch(const std::string& model,
                                          const std::vector<NamedMachine>& machines) {
  const auto common =
      common_to_all(machines, [&](const NamedMachine& machine) { return batches_of(machine, model); });
  return common.empty() ? std::nullopt : std::optional(*common.rbegin());
}

std::set<std::string> common_transports(const std::string& model, std::uint32_t batch,
                                        const std::vector<NamedMachine>& machines) {
  return common_to_all(machines,
                       [&](const NamedMachine& machine) { return transports_of(machine, model, batch); });
}

std::optional<JudgedCase> least_of(const NamedMachine& machine, const std::string& model,
                                   std::optional<std::uint32_t> batch, const Quantity& quantity) {
  std::optional<JudgedCase> least;
  for (const analysis::Group& group : machine.file->groups()) {
    for (const analysis::CaseResult& result : group.cases) {
      const Case& what = result.measured->what;
      if (what.model != model || !is_judged(result)) continue;
      if (batch && (what.batch != *batch || !is_exact(what))) continue;
      JudgedCase one{&machine, &result, {}};
      one.quantity = quantity(one);
      if (std::isfinite(one.quantity.centre) && (!least || one.quantity.centre < least->quantity.centre))
        least = one;
    }
  }
  return least;
}

statistics::Interval seconds_a_sample(const JudgedCase& one) {
  return statistics::times(one.costs().gpu_seconds, 1.0 / one.what().gpus);
}

statistics::Interval money_a_million(const JudgedCase& one) {
  return money_of_million(one.costs(), one.machine->file->price_an_hour());
}

statistics::Interval seconds_to_quality(const JudgedCase& one) { return one.timed().quality.seconds; }

statistics::Interval money_to_quality(const JudgedCase& one) {
  const double price = one.machine->file->price_an_hour();
  return statistics::times(one.timed().quality.seconds,
                           price > 0 ? one.what().gpus * price / hour_seconds : not_measured);
}

statistics::Interval joules_to_quality(const JudgedCase& one) {
  return product(one.costs().energy.joules, one.timed().quality.samples);
}

}  // namespace breakeven::report
