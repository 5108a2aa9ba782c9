// SPDX-License-Identifier: Apache-2.0
// The cases of `run` with `--strategies auto`: the candidates of each, and the choice.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mpi/watchdog.h"
#include "src/autotune/chooser.h"
#include "src/command/measure/launch.h"
#include "src/core/records/results.h"
#include "src/measure/run_context.h"

namespace breakeven {

inline bool is_auto(const Case& what) { return what.strategy == auto_strategy; }

// One for all instruments: the choice is about whole steps.
struct AskedChoice {
  Case asked;
  std::vector<Case> candidates;  // that fit into the memory of every rank; all different configurations
};

struct AskedChoices {
  std::vector<AskedChoice> all;
  std::vector<Observation> evidence;  // of --evidence, on rank 0
  ExitCode code = ExitCode::success;  // else rank 0 has said what is wrong
};

// Collective over the session's world.
AskedChoices find_choices(const LaunchSetup& setup, const RunContext& bench);

// Those without a choice to make, and all candidates: what the launch may have to train.
std::vector<Case> cases_to_train(const std::vector<Case>& cases, const std::vector<AskedChoice>& choices);

// Probes and chooses, one case after the other, and says so; nothing where the launch was asked to stop.
// Collective likewise; `launch` has the ceilings and the times of messages.
std::optional<std::vector<Choice>> make_choices(AskedChoices asked, const Launch& launch, RunContext& bench,
                                                Watchdog& watchdog);

// The same cases with what was chosen, each once: two that differ in the transport may both end on one GPU.
std::vector<Case> with_choices(const std::vector<Case>& cases, const std::vector<Choice>& choices);

// By which a case of with_choices() came about; null where it left nothing open.
const Choice* choice_of(const Case& chosen, const std::vector<Choice>& choices);

}  // namespace breakeven
