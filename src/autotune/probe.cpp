// SPDX-License-Identifier: Apache-2.0
#include "src/autotune/probe.h"

#include <algorithm>
#include <optional>

#include "src/core/strategy/case_strategy.h"
#include "src/core/terminate.h"
#include "src/measure/run_case.h"
#include "src/statistics/autocorrelation.h"
#include "src/statistics/sample.h"

namespace breakeven::autotune {
namespace {

measure::RunOptions options_of_probe(const measure::RunOptions& launch, std::uint32_t steps) {
  measure::RunOptions options = launch;
  options.warmup = probe_warmup;
  options.steps = steps;
  options.settle = {};
  options.until.reset();
  return options;
}

}  // namespace

std::uint32_t steps_of_probe(const Case& what, std::uint32_t at_least) {
  std::uint32_t period = 1;
  for (const Message& message : messages_of_case(what, 0).value_or(std::vector<Message>{}))
    period = std::max(period, message.period);
  const std::uint32_t unit = probe_batches * period;
  return (at_least + unit - 1) / unit * unit;
}

std::vector<double> probe(const Case& what, std::uint32_t steps, measure::RunContext& context) {
  const Session& session = context.session();
  const measure::RunOptions options = options_of_probe(context.options(), steps_of_probe(what, steps));
  report_activity_as("probing " + label_of(what));
  std::optional<RunRecord> mine;
  if (session.rank() < what.gpus) mine = measure::run_case(what, context, options, 0);
  session.sleepy_barrier();
  const std::vector<double> seconds =
      measure::gather_step_seconds(session, what, options.steps, mine ? &*mine : nullptr);
  std::vector<double> means;
  if (!session.is_root()) return means;
  for (const auto& batch : statistics::batches_of(seconds, probe_batches))
    means.push_back(statistics::mean(batch));
  return means;
}

}  // namespace breakeven::autotune
