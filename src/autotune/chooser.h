// SPDX-License-Identifier: Apache-2.0
// Chooses the strategy of a case with `--strategies auto`. Candidates are predicted from evidence if there is
// any. If more than one is left, they are probed, and the fastest probe wins.
#pragma once

#include <functional>
#include <vector>

#include "mpi/session.h"
#include "src/autotune/halving.h"
#include "src/predict/step_model.h"

namespace breakeven {

struct Choice {
  Case asked;
  Case what;                              // the same with what was chosen
  std::vector<AutoCandidate> candidates;  // in the order of the candidates given
  double seconds = 0;                     // time that choosing took
};

// Asked for one case after the other, it learns from the probes of each.
class Chooser {
 public:
  // Mean steps of batches of a probe, on rank 0 at least; collective over the session's world.
  using ProbeCase = std::function<std::vector<double>(const Case& what, std::uint32_t steps)>;

  // `ceilings` and `times` are of this launch, `known` is what evidence there is; only those of rank 0 count.
  Chooser(const Session& session, const HalvingSettings& settings, const Roofline& roofline,
          const MessageTimes& times, std::vector<Observation> known, ProbeCase probe);

  // Collective, with the same answer on every rank: all of them go by the numbers of rank 0. `asked` is of
  // asked_case(), `candidates` (at least one) are of candidates_of().
  Choice choose(const Case& asked, const std::vector<Case>& candidates);

 private:
  std::vector<AutoCandidate> predict(const std::vector<Case>& cases) const;
  void learn(const std::vector<Case>& cases, const std::vector<AutoCandidate>& seen);

  const Session& session_;
  HalvingSettings settings_;
  Roofline roofline_;
  const MessageTimes& times_;
  std::vector<Observation> known_;
  ProbeCase probe_;
};

}  // namespace breakeven
