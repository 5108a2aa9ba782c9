// SPDX-License-Identifier: Apache-2.0
#include "src/measure/gathered_steps.h"

#include <cmath>
#include <limits>

#include "mpi/mpi_call.h"
#include "src/core/strategy/case_strategy.h"

namespace breakeven {

std::vector<double> gather_step_seconds(const Session& session, const Case& what, std::uint32_t steps,
                                        const RunRecord* mine) {
  const bool in_step = traits_of(what).in_step;
  std::vector<double> seconds(steps + 1, 0.0);  // of ranks that sat it out; the last: steps made
  if (mine != nullptr) {
    seconds.back() = made_steps(*mine);
    for (std::uint32_t step = 0; step < made_steps(*mine); ++step) {
      const double value = mine->at(step, Phase::step);
      // MPI_MAX may lose a NaN, but no infinity: it is as little a number to go by.
      seconds[step] = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
    }
  }
  std::vector<double> of_all(seconds.size());
  MPI_CALL(MPI_Reduce(seconds.data(), of_all.data(), static_cast<int>(seconds.size()), MPI_DOUBLE,
                      in_step ? MPI_MAX : MPI_SUM, 0, session.world()),
           "gathering step times");
  const double ranks = in_step ? 1 : what.gpus;
  for (double& value : of_all) value /= ranks;
  of_all.resize(session.is_root() ? static_cast<std::size_t>(of_all.back()) : 0);
  return of_all;
}

}  // namespace breakeven
