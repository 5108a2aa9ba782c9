// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/case_exchange.h"

#include <algorithm>
#include <cmath>

#include "src/analysis/pipeline_bubble.h"
#include "src/core/strategy/case_strategy.h"

namespace breakeven::analysis {
namespace {

// A message whose bytes take less than its call is a small one.
constexpr double mostly_latency = 0.5;
constexpr double explained_by_noise = 0.2;  // of a ratio

// What a launch has measured is in a graph where any of its cases over that transport is one.
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
      sum = sum + time_of_messages(messages, summary.what.transport.known().value_or(Transport::none), times);
  }
  return 1.0 / static_cast<double>(summary.done.size() * of_ranks.size()) * sum;
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
  if (pipeline_of_case(summary.what)) words.emplace_back("the bubble");
  if (traits.splits_model) words.emplace_back("waits at every message");
  if (exchange.has_root) words.emplace_back("waits for the root's update");
  if (!traits.in_step) words.emplace_back("ranks out of step");
  if (!strategy.options.compression.is_plain()) words.emplace_back("codes made in it");
  if (exchange.formula.latency > mostly_latency * exchange.formula.seconds())
    words.emplace_back("small messages");
  if (traits.capturable && !summary.what.graph && is_measured_in_graph(*summary.done.front(), results))
    words.emplace_back("call by call");
  const bool is_far = !(std::abs(exchange.ratio() - 1) <= explained_by_noise);
  if (words.empty() && is_far && std::isfinite(exchange.ratio())) words.emplace_back("not explained");
  return words;
}

}  // namespace breakeven::analysis
