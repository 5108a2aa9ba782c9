// SPDX-License-Identifier: Apache-2.0
#include "src/predict/call_check.h"

#include <cmath>
#include <optional>

#include "src/predict/network.h"
#include "src/statistics/interval.h"
#include "src/statistics/sample.h"

namespace breakeven {
namespace {

// Of calls of all sizes on so many ranks.
std::vector<double> errors_on(int ranks, Collective kind, const MessageTimes& times, Transport transport,
                              const CallCosts& costs) {
  const Network network(machine_as_measured(), transport, costs);
  std::vector<double> errors;
  const auto measured = times.of(*place_of(transport), ranks, kind);
  for (std::size_t size = 0; size < message_sizes && measured[size] > 0; ++size) {
    const analysis::ExchangeTime time = network.call({kind, message_size(size), ranks}).time;
    if (std::isfinite(time.seconds())) errors.push_back(std::abs(std::log(time.seconds() / measured[size])));
  }
  return errors;
}

double root_mean_square(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

// `fewer` is fitted to groups smaller than the largest of `costs`.
CallCheck check_of(Collective kind, const MessageTimes& times, Transport transport, const CallCosts& costs,
                   const std::optional<CallCosts>& fewer) {
  CallCheck check;
  std::vector<double> errors;
  for (int ranks = smallest_group; ranks <= costs.largest_group; ++ranks) {
    const std::vector<double> here = errors_on(ranks, kind, times, transport, costs);
    errors.insert(errors.end(), here.begin(), here.end());
  }
  check.median_error = median(errors);
  check.highest_error = highest(errors);
  if (!fewer) return check;
  const std::vector<double> further = errors_on(costs.largest_group, kind, times, transport, *fewer);
  if (further.size() < fewest_for_interval) return check;
  const double doublings = std::log2(double(costs.largest_group) / fewer->largest_group);
  check.error_a_doubling = t_quantile(further.size() + 1) * root_mean_square(further) / doublings;
  check.is_assumed = false;
  return check;
}

}  // namespace

CallChecks check_calls(const MessageTimes& times, Transport transport, int most_ranks) {
  CallChecks checks;
  const auto costs = fit_calls(times, transport, most_ranks);
  if (!costs) return checks;
  const auto fewer = fit_calls(times, transport, costs->largest_group - 1);
  for (std::size_t kind = 0; kind < probed_kinds; ++kind)
    checks[kind] = check_of(static_cast<Collective>(kind), times, transport, *costs, fewer);
  return checks;
}

}  // namespace breakeven
