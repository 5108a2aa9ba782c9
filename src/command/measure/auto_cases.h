// SPDX-License-Identifier: Apache-2.0
// The cases of `run --strategies auto`: their candidates and the choice among them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/autotune/chooser.h"
#include "src/command/measure/launch.h"
#include "src/core/records/results.h"
#include "src/measure/run_context.h"

namespace breakeven::command {

// One for both --timing values: the choice is made by whole steps.
struct AskedChoice {
  Case asked;
  std::vector<Case> candidates;  // that fit into the memory of every rank; no two are the same configuration
};

struct AskedChoices {
  std::vector<AskedChoice> all;
  std::vector<predict::Observation> evidence;  // of --evidence, on rank 0
  ExitCode code = ExitCode::success;           // otherwise rank 0 has printed what is wrong
};

// Collective over the session's world.
AskedChoices find_choices(const LaunchSetup& setup, const measure::RunContext& context);

// All cases that the launch may train: those with a fixed strategy, and all candidates.
std::vector<Case> cases_to_train(const std::vector<Case>& cases, const std::vector<AskedChoice>& choices);

// Chooses for one case after the other and prints the choice. Nothing if the launch was asked to stop.
// `launch` has the roofline and the times of messages. Collective over the session's world.
std::optional<std::vector<autotune::Choice>> make_choices(AskedChoices asked, const Launch& launch,
                                                          measure::RunContext& context);

// The cases with their chosen strategies, each once: two that differ in the transport may both become the
// same case on one GPU.
std::vector<Case> with_choices(const std::vector<Case>& cases, const std::vector<autotune::Choice>& choices);

// The choice that led to a case of with_choices(); null for a case with a fixed strategy.
const autotune::Choice* choice_of(const Case& chosen, const std::vector<autotune::Choice>& choices);

}  // namespace breakeven::command
