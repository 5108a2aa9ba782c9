// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/pipeline_bubble.h"

#include <algorithm>
#include <vector>

#include "src/analysis/exchange_time.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/strategy/description.h"
#include "src/core/strategy/pipeline.h"

namespace breakeven::analysis {
namespace {

double busy_seconds(const PhaseSeconds& seconds) {
  return seconds[index_of(Phase::step)] - seconds[index_of(Phase::exchange)] - seconds[index_of(Phase::wait)];
}

// Between the stages alone; mean over the runs done, each by its own launch's measurement.
double message_seconds(const CaseSummary& summary, int rank, const Results& results) {
  std::vector<Message> messages = messages_of_case(summary.what, rank).value_or(std::vector<Message>{});
  std::erase_if(messages, [](const Message& message) { return probed_as(message.kind) != Collective::send; });
  double sum = 0;
  for (const RecordedRun* run : summary.done) {
    const MessageTimes& times = results.launches[run->launch].message_times;
    sum +=
        time_of_messages(messages, summary.what.transport.known().value_or(Transport::none), times).seconds();
  }
  return sum / static_cast<double>(summary.done.size());
}

}  // namespace

std::optional<Pipeline> pipeline_of_case(const Case& what) {
  const StrategyChoice* strategy = trained_strategy(what).known();
  if (strategy == nullptr) return std::nullopt;
  const int stages = strategy->info->name == "pipeline" ? what.gpus : strategy->options.pipeline;
  if (stages < 1) return std::nullopt;
  return Pipeline{static_cast<std::uint32_t>(stages), micro_batches_of(strategy->options, stages)};
}

IdleShare idle_share(const CaseSummary& phases) {
  if (phases.what.timing != Timing::phases || phases.phases.by_rank.empty()) return {};
  IdleShare share{0, 1, 0};
  for (const PhaseSeconds& seconds : phases.phases.by_rank) {
    const double idle = seconds[index_of(Phase::exchange)] + seconds[index_of(Phase::wait)];
    const double of_rank = idle / seconds[index_of(Phase::step)];
    share.mean += of_rank / static_cast<double>(phases.phases.by_rank.size());
    share.least = std::min(share.least, of_rank);
    share.most = std::max(share.most, of_rank);
  }
  return share;
}

double idle_of_stages(const Pipeline& pipeline, std::span<const double> busy,
                      std::span<const double> messages) {
  double sum = 0;
  double busy_sum = 0;
  double longest = 0;
  for (std::size_t stage = 0; stage < busy.size(); ++stage) {
    const double seconds = busy[stage] + messages[stage];
    busy_sum += busy[stage];
    sum += seconds;
    longest = std::max(longest, seconds);
  }
  const double step = (sum + (pipeline.micro_batches - 1.0) * longest) / pipeline.micro_batches;
  return 1 - busy_sum / static_cast<double>(busy.size()) / step;
}

ExpectedIdle expected_idle(const Pipeline& pipeline, const CaseSummary& phases, const Results& results) {
  const std::size_t ranks = phases.phases.by_rank.size();
  const std::size_t groups = ranks / pipeline.stages;
  if (phases.what.timing != Timing::phases || groups == 0) return {};
  ExpectedIdle expected{0, 0};
  for (std::size_t group = 0; group < groups; ++group) {
    std::vector<double> busy;
    std::vector<double> messages;
    for (std::size_t rank = group * pipeline.stages; rank < (group + 1) * pipeline.stages; ++rank) {
      busy.push_back(busy_seconds(phases.phases.by_rank[rank]));
      messages.push_back(message_seconds(phases, static_cast<int>(rank), results));
    }
    const std::vector<double> nothing(busy.size(), 0.0);
    const auto share = 1.0 / static_cast<double>(groups);
    expected.by_stages += share * idle_of_stages(pipeline, busy, nothing);
    expected.by_stages_and_messages += share * idle_of_stages(pipeline, busy, messages);
  }
  return expected;
}

}  // namespace breakeven::analysis
