// SPDX-License-Identifier: Apache-2.0
// The measured cases of a file divided for cross-validation: what is known, and what is asked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/predict/step_model.h"

namespace breakeven::predict {

// The known part of a fold has no case with the held-out model, batch, or launch and model (batch). A launch
// alone has no fold: its cases are measured in the other launches (launch_errors.h).
enum class HeldOutBy { model, batch, launch_and_model, launch_and_batch, launch };
std::string_view name_of(HeldOutBy by);  // "model", "batch", "launch and model"

// The observations at one model, batch and precision: on one GPU and on more, by exact strategies.
using Cell = std::vector<const Observation*>;

struct Fold {
  std::string unit;  // the model, batch or launch that is held out: its errors may be alike
  std::vector<Observation> known;
  std::vector<Observation> asked;
  std::vector<Cell> cells() const;  // of `asked`, which must live as long
};

// One fold for each model, batch, or launch and model (batch); none where there is only one of them.
std::vector<Fold> folds_of(const StepModel& all, HeldOutBy by);

std::vector<Cell> cells_of(const std::vector<Observation>& observations);

// Seconds of a step; infinite if no single GPU was measured (in the launch).
double fastest_single_seconds(const Cell& cell);
double fastest_single_seconds(const Cell& cell, std::uint32_t launch);

}  // namespace breakeven::predict
