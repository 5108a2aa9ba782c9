// SPDX-License-Identifier: Apache-2.0
// Chooses the strategy of a case with `--strategies auto`. If there is evidence, it predicts the candidates'
// step times and drops those that cannot win. If more than one is left, it probes them, and the fastest probe
// wins.
#pragma once

#include <functional>
#include <vector>

#include "mpi/session.h"
#include "src/autotune/halving.h"
#include "src/predict/step_model.h"

namespace breakeven::autotune {

struct Choice {
  Case asked;
  Case what;                              // the same with the chosen strategy and number of GPUs
  std::vector<AutoCandidate> candidates;  // in the order of the candidates given
  double seconds = 0;                     // duration of the choice
};

// Makes one choice after the other, and learns from the probes of each.
class Chooser {
 public:
  // Returns the mean step time of each batch of a probe, at least on rank 0. Collective over the session's
  // world.
  using ProbeCase = std::function<std::vector<double>(const Case& what, std::uint32_t steps)>;

  // `roofline` and `times` are those of this launch, `known` is the evidence. Only rank 0's are used.
  Chooser(const Session& session, const HalvingSettings& settings, const Roofline& roofline,
          const MessageTimes& times, std::vector<predict::Observation> known, ProbeCase probe);

  // Collective. All ranks use rank 0's numbers, and get the same answer. `asked` comes from asked_case(),
  // `candidates` (at least one) from candidates_of().
  Choice choose(const Case& asked, const std::vector<Case>& candidates);

 private:
  std::vector<AutoCandidate> predict(const std::vector<Case>& cases) const;
  void learn(const std::vector<Case>& cases, const std::vector<AutoCandidate>& seen);

  const Session& session_;
  HalvingSettings settings_;
  Roofline roofline_;
  const MessageTimes& times_;
  std::vector<predict::Observation> known_;
  ProbeCase probe_;
};

}  // namespace breakeven::autotune
