// SPDX-License-Identifier: Apache-2.0
// The table of variables (schema.h): coordinates, and the labels of runs.
#include <algorithm>
#include <iterator>

#include "src/hdf5/variable_rows.h"

namespace breakeven::hdf5 {
namespace {

Variable along(Dimension dimension, std::string_view units, std::string_view long_name, Source source,
               bool is_addition = false) {
  Variable variable = per_run(dimension_names[static_cast<std::size_t>(dimension)], units, long_name,
                              std::move(source), is_addition);
  variable.dimensions = {dimension};
  return variable;
}

Names names_in(const auto& words) { return {{words.begin(), words.end()}}; }

Names names_of_phases() {
  Names names;
  for (const PhaseInfo& info : phases) names.words.push_back(info.name);
  return names;
}

// netCDF numbers the dimensions in this order.
std::vector<Variable> coordinates() {
  using enum Dimension;
  return {
      along(rank, "1", "rank in the launch", Numbers{}),
      along(step, "1", "measured step, warm-up not counted", Numbers{}),
      along(phase, "", "part of a training step", names_of_phases()),
      along(peer, "1", "rank at the other end of a link", Numbers{}),
      along(launch, "1", "start of the program", Numbers{}),
      along(run, "", "label of the run", &RecordedRun::label),
      along(transport, "", "transport", names_in(probed_transports), later),
      along(group, "1", "ranks that communicate with each other", Numbers{smallest_group}, later),
      along(operation, "", "collective operation", names_in(std::span(collective_names).first(probed_kinds)),
            later),
      along(message, "B", "data that one call works on", MessageBytes{}, later),
      along(candidate, "1", "candidate that 'auto' chose among, by its index", Numbers{}, later),
      along(product_precision, "", "precision of a product", names_in(words_of<Precision>), later),
  };
}

Variable variable_of(const AxisInfo& info) {
  const auto source = std::visit([](auto member) -> Source { return member; }, info.member);
  const bool is_number = std::holds_alternative<std::uint32_t Case::*>(source) ||
                         std::holds_alternative<int Case::*>(source) ||
                         std::holds_alternative<bool Case::*>(source);
  return per_run(info.variable, is_number ? "1" : "", info.meaning, source, info.axis == Axis::chosen);
}

std::vector<Variable> axes_of_runs() {
  std::vector<Variable> all;
  for (const AxisInfo& info : axes()) {
    if (!info.variable.empty() && info.axis != Axis::chosen) all.push_back(variable_of(info));
  }
  return all;
}

std::vector<Variable> plan_of_runs() {
  return {
      per_run("repeat", "1", "index among the runs of the same case in the launch", &PlannedRun::repeat),
      per_run("order", "1", "position in the launch's random order", &PlannedRun::order),
      per_run("launch_index", "1", "launch that the run belongs to", &RecordedRun::launch),
      per_run("warmup", "1", "steps before the measured ones", &RecordedRun::warmup),
      per_run("steps", "1", "measured steps planned", &RecordedRun::steps),
      per_run("parameters", "1", "parameters of the model, padding not counted", &RecordedRun::parameters),
      per_run("status", "1", "0 planned, 1 complete, 2 verified", &RecordedRun::status),
      per_run("stop", "1",
              "why no run of the case followed: 1 precise enough, 2 all repeats made (--target-ci)",
              &RecordedRun::stop, later),
      per_run("label_checksum", "1", "FNV-1a checksum of the run's labels", LabelChecksum{}, later),
      per_run("label_checksum_next", "1", "the same, written before status or stop changes", LabelChecksum{},
              later),
  };
}

// Of `--strategies auto` (docs/auto.md).
std::vector<Variable> autotuning() {
  return {
      variable_of(info_of(Axis::chosen)),
      per_run("choosing_seconds", "s",
              "time that autotuning took, once for all runs of the case in the launch",
              &RecordedRun::choosing_seconds, later),
      // The reader makes room for the candidates below when it meets their number here.
      per_run("candidates", "1", "candidates that 'auto' chose among", &RecordedRun::candidates, later),
      per_candidate("candidate_strategy", "", "strategy of the candidate", &AutoCandidate::strategy, later),
      per_candidate("candidate_gpus", "1", "its GPUs", &AutoCandidate::gpus, later),
      per_candidate("candidate_predicted_seconds", "s", "step time predicted before the candidate was probed",
                    &AutoCandidate::predicted_seconds, later),
      per_candidate("candidate_predicted_low", "s", "lower 95 % bound of that step time",
                    &AutoCandidate::predicted_low, later),
      per_candidate("candidate_predicted_high", "s", "upper 95 % bound of that step time",
                    &AutoCandidate::predicted_high, later),
      per_candidate("candidate_probed_seconds", "s", "probed step time; NaN if it was not probed",
                    &AutoCandidate::probed_seconds, later),
      per_candidate("candidate_probed_low", "s", "lower 95 % bound of that step time",
                    &AutoCandidate::probed_low, later),
      per_candidate("candidate_probed_high", "s", "upper 95 % bound of that step time",
                    &AutoCandidate::probed_high, later),
      per_candidate("candidate_probe_steps", "1", "steps of its probes, without warm-up",
                    &AutoCandidate::probe_steps, later),
  };
}

}  // namespace

const std::vector<Variable>& variables() {
  static const std::vector<Variable> table = [] {
    std::vector<Variable> all = coordinates();
    for (const auto& part :
         {axes_of_runs(), plan_of_runs(), measured_variables(), launch_variables(), autotuning()})
      std::ranges::copy(part, std::back_inserter(all));
    return all;
  }();
  return table;
}

}  // namespace breakeven::hdf5
