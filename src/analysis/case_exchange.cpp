// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/case_exchange.h"

#include <algorithm>
#include <cmath>

#include "src/core/strategy/case_strategy.h"
#include "src/core/strategy/pipeline.h"

namespace breakeven::analysis {
namespace {

// Messages whose bytes take less than their calls are small.
constexpr double mostly_latency = 0.5;
constexpr double explained_by_noise = 0.2;  // of a ratio

// A launch has timed its calls in a CUDA graph if any of its cases over that transport runs as one.
bool is_measured_in_graph(const RecordedRun& like, const Results& results) {
  return std::ranges::any_of(results.runs, [&](const RecordedRun& run) {
    const Case& what = run.planned.what;
    return run.launch == like.launch && what.transport == like.planned.what.transport && what.graph;
  });
}

ExchangeTime mean_time(const std::vector<std::vector<Message>>& of_ranks, const CaseSummary& summary,
                       const Results& results) {
  ExchangeTime sum;
  for (const RecordedRun* run : summary.done) {
    const MessageTimes& times = results.launches[run->launch].message_times;
    for (const std::vector<Message>& messages : of_ranks)
      sum = sum + time_of_messages(messages, summary.what.transport, times);
  }
  return 1.0 / static_cast<double>(summary.done.size() * of_ranks.size()) * sum;
}

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
    sum += time_of_messages(messages, summary.what.transport, times).seconds();
  }
  return sum / static_cast<double>(summary.done.size());
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

}  // namespace

std::optional<CaseExchange> exchange_of(const CaseSummary& summary, const Results& results) {
  if (summary.done.empty()) return std::nullopt;
  std::vector<std::vector<Message>> of_ranks;
  CaseExchange exchange;
  for (int rank = 0; rank < summary.what.gpus; ++rank) {
    const auto messages = messages_of_case(summary.what, rank);
    if (!messages || messages->empty()) return std::nullopt;
    const MeanTraffic traffic = mean_traffic_of(*messages);
    exchange.traffic.calls += traffic.calls / summary.what.gpus;
    exchange.traffic.bytes += traffic.bytes / summary.what.gpus;
    exchange.has_root |= std::ranges::count(*messages, Collective::reduce, &Message::kind) > 0;
    of_ranks.push_back(*messages);
  }
  exchange.formula = mean_time(of_ranks, summary, results);
  if (summary.what.timing == Timing::phases) {
    exchange.measured =
        summary.phases.mean[index_of(Phase::exchange)] + summary.phases.mean[index_of(Phase::broadcast)];
  }
  return exchange;
}

std::vector<std::string> known_differences(const CaseSummary& summary, const CaseExchange& exchange,
                                           const Results& results) {
  const StrategyChoice strategy = strategy_of_case(summary.what);
  const StrategyTraits& traits = strategy.info->traits;
  std::vector<std::string> words;
  if (traits.overlaps || strategy.options.bucket_bytes > 0) words.emplace_back("overlap hides part");
  if (pipeline_of_case(summary.what)) words.emplace_back("pipeline bubble");
  if (traits.splits_model) words.emplace_back("waits at every message");
  if (exchange.has_root) words.emplace_back("waits for the root's update");
  if (!traits.in_step) words.emplace_back("ranks out of step");
  if (!strategy.options.compression.is_plain()) words.emplace_back("includes compression");
  if (exchange.formula.latency > mostly_latency * exchange.formula.seconds())
    words.emplace_back("small messages");
  if (traits.capturable && !summary.what.graph && is_measured_in_graph(*summary.done.front(), results))
    words.emplace_back("not in a CUDA graph");
  const bool is_far = !(std::abs(exchange.ratio() - 1) <= explained_by_noise);
  if (words.empty() && is_far && std::isfinite(exchange.ratio())) words.emplace_back("unexplained");
  return words;
}

std::optional<Pipeline> pipeline_of_case(const Case& what) {
  const StrategyChoice* strategy = trained_strategy(what).known();
  if (strategy == nullptr) return std::nullopt;
  const int stages = strategy->info->pipeline_stages(strategy->options, what.gpus);
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

std::optional<PipelineIdle> pipeline_idle_of(const CaseSummary& summary, const Results& results) {
  const auto pipeline = pipeline_of_case(summary.what);
  if (!pipeline) return std::nullopt;
  return PipelineIdle{*pipeline, idle_share(summary), expected_idle(*pipeline, summary, results)};
}

}  // namespace breakeven::analysis
