// SPDX-License-Identifier: Apache-2.0
#include "src/predict/advisor.h"

#include <algorithm>
#include <set>

namespace breakeven {
namespace {

// The last one that told NCCL what the case's did.
const Launch& latest_launch_for(const Case& what, const Results& results) {
  for (auto launch = results.launches.rbegin(); launch != results.launches.rend(); ++launch)
    if (what.transport != Transport::nccl || nccl_settings_of(*launch) == what.nccl) return *launch;
  return results.launches.back();
}

}  // namespace

Advisor::Advisor(const analysis::FileAnalysis& analysis) : analysis_(analysis), model_(analysis) {
  for (const analysis::MeasuredCase& measured : cases())
    most_gpus_ = std::max(most_gpus_, measured.what.gpus);
}

std::optional<StepTerms> Advisor::terms_of(const Case& what) const {
  const Launch& launch = latest_launch_for(what, results());
  if (launch.roofline.empty()) return std::nullopt;
  return terms_of_case(what, launch.roofline.front(), launch.message_times);
}

std::optional<Way> Advisor::way(const Query& query, Case what) const {
  what.model = query.model;
  what.batch = query.batch;
  what.timing = {};
  if (!is_possible(what)) return std::nullopt;
  Way way;
  way.what = what;
  if (std::optional<StepTerms> terms = terms_of(what)) {
    (*terms)[index_of(StepTerm::bandwidth)] /= query.link_factor;
    if (const auto prediction = model_.predict(what, *terms)) {
      way.seconds = {prediction->seconds, prediction->low, prediction->high, 0};
      way.basis = prediction->basis;
      way.parts = prediction->parts;
    }
  }
  for (const analysis::MeasuredCase& measured : cases()) {
    const analysis::StepTimes& step = measured.timed().step;
    if (query.only_predicted || measured.what != what || !(step.mean_seconds > 0)) continue;
    way.seconds = step.interval;
    way.seconds.centre = step.mean_seconds;
    way.is_measured = true;
    way.unit = step.unit;
  }
  if (!(way.seconds.centre > 0)) return std::nullopt;
  complete(way, query.memory_limit_bytes);
  return way;
}

std::vector<Way> Advisor::ways(const Query& query) const {
  const int most = query.most_gpus > 0 ? query.most_gpus : most_gpus_;
  std::vector<Way> ways;
  for (const StepModel::Family& family : model_.families()) {
    if (!is_taken(query, family.key)) continue;
    std::set<int> counts;  // only those that the strategy was measured on: the fit knows no other
    for (const Observation& one : family.observations)
      if (one.what.gpus <= most) counts.insert(one.what.gpus);
    for (const int gpus : counts) {
      Case what = family.key;
      what.gpus = gpus;
      if (!is_way(what)) continue;
      if (auto found = way(query, what)) ways.push_back(std::move(*found));
    }
  }
  compare_with_single(ways, ways);
  sort_by_speed(ways);
  return ways;
}

}  // namespace breakeven
