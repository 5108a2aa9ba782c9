// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/start_up.h"

#include <cmath>

namespace breakeven::analysis {

double connect_seconds(const CaseSummary& summary, const Results& results) {
  const std::size_t transport = transport_place(summary.what.collective);
  if (transport == transports.size() || summary.what.gpus < smallest_group) return not_measured;
  double sum = 0;
  for (const RecordedRun* run : summary.done) {
    const MessageTimes& times = results.launches[run->launch].message_times;
    if (summary.what.gpus > times.largest_group) return not_measured;
    sum += times.connect_seconds[times.place_of(transport, summary.what.gpus)];
  }
  return sum / static_cast<double>(summary.done.size());
}

double start_up_seconds(const CaseSummary& summary, const Results& results) {
  const double connecting = connect_seconds(summary, results);
  return (std::isnan(connecting) ? 0 : connecting) + summary.readings.setup_seconds +
         summary.readings.first_step_seconds;
}

}  // namespace breakeven::analysis
