// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/one_gpu.h"

#include <algorithm>

#include "src/core/axes.h"
#include "src/core/strategy/case_strategy.h"

namespace breakeven::analysis {
namespace {

// On one GPU both scalings are the same; the case's own is preferred.
const MeasuredCase* find(Case wanted, const std::vector<MeasuredCase>& cases) {
  const MeasuredCase* found = nullptr;
  wanted.timing = {};
  for (const MeasuredCase& measured : cases) {
    if (!are_alike_but_for(measured.what, wanted, {Axis::scaling})) continue;
    if (found == nullptr || measured.what.scaling == wanted.scaling) found = &measured;
  }
  return found;
}

// The case's strategy on one GPU at the rows of one of its GPUs.
Case at_rows(Case what) {
  what.batch = rows_a_gpu(what);
  what.gpus = 1;
  return what;
}

bool is_planned(const Case& what, const std::vector<Case>& cases) {
  return std::ranges::find(cases, what) != cases.end();
}

// Speeds come from total times, the budget's parts from phases.
bool is_budgeted_by(const Case& what, const std::vector<Case>& cases) {
  Case by_phases = what;
  by_phases.timing = Timing::phases;
  return what.timing == Timing::phases || !is_planned(by_phases, cases);
}

// The single GPU with the settings of the case; null: none is planned.
const Case* single_beside(const Case& what, const std::vector<Case>& cases) {
  const auto is_beside = [&](const Case& other) {
    using enum Axis;
    return is_single_gpu(other) && are_alike(other, what, {model, precision, gemm, scaling, timing, data});
  };
  const auto found = std::ranges::find_if(cases, is_beside);
  return found == cases.end() ? nullptr : &*found;
}

}  // namespace

double ideal_share(const Case& what, const Case& base) {
  return samples_a_step(what) / (samples_a_step(base) * what.gpus);
}

bool has_rows_of_one_gpu(const Case& what) {
  const StrategyTraits traits = traits_of(what);
  return !traits.splits_model && !traits.copies;
}

const MeasuredCase* single_at_rows(const Case& what, const Case& base,
                                   const std::vector<MeasuredCase>& cases) {
  if (!has_rows_of_one_gpu(what)) return nullptr;
  Case wanted = base;
  wanted.batch = rows_a_gpu(what);
  return find(wanted, cases);
}

const MeasuredCase* strategy_at_rows(const Case& what, const std::vector<MeasuredCase>& cases) {
  if (!has_rows_of_one_gpu(what)) return nullptr;
  return find(at_rows(what), cases);
}

std::vector<Case> wanted_on_one_gpu(const std::vector<Case>& cases) {
  std::vector<Case> wanted;
  const auto add = [&](const Case& what) {
    if (!is_planned(what, cases) && !is_planned(what, wanted)) wanted.push_back(what);
  };
  for (const Case& what : cases) {
    if (what.gpus == 1 || trained_strategy(what) == auto_strategy || !has_rows_of_one_gpu(what)) continue;
    if (const Case* single = single_beside(what, cases)) {
      Case rows = *single;
      rows.batch = rows_a_gpu(what);
      add(rows);
    }
    if (is_budgeted_by(what, cases)) add(at_rows(what));
  }
  return wanted;
}

}  // namespace breakeven::analysis
