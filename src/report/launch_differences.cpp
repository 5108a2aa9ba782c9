// SPDX-License-Identifier: Apache-2.0
// The facts of two files' launches, side by side.
#include "src/report/launch_differences.h"

#include <algorithm>
#include <set>

#include "src/report/machine.h"

namespace breakeven {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "; ") + word;
  return text;
}

std::string hosts_of(const Launch& launch) {
  std::set<std::string> hosts;
  for (const RankInfo& rank : launch.topology.ranks) hosts.insert(rank.host);
  return joined(hosts);
}

std::string link_kinds_of(const Launch& launch) {
  std::set<std::string> kinds;
  for (const Link& link : launch.topology.links) {
    if (link.kind != "self") kinds.insert(link.kind);
  }
  return joined(kinds);
}

void add_pairs(const std::string& kind, const Facts& pairs, Facts& facts) {
  for (const auto& [name, value] : pairs) facts.emplace_back(kind + " " + name, value);
}

Facts facts_of(const Launch& launch) {
  Facts facts{{"machine", machine_name(launch.topology)},
              {"hosts", hosts_of(launch)},
              {"links", link_kinds_of(launch)},
              {"revision", launch.git_revision}};
  add_pairs("version of", launch.versions, facts);
  add_pairs("setting", launch.settings, facts);
  add_pairs("environment", launch.environment, facts);
  return facts;
}

std::string fact_in_words(const std::string& fact, const Results& results) {
  std::set<std::string> words;
  for (const Launch& launch : results.launches) {
    for (const auto& [name, word] : facts_of(launch)) {
      if (name == fact && !word.empty()) words.insert(word);
    }
  }
  return joined(words);
}

// Each once, in the order of first appearance.
std::vector<std::string> names_of(const Results& before, const Results& after) {
  std::vector<std::string> names;
  for (const Results* results : {&before, &after}) {
    for (const Launch& launch : results->launches) {
      for (const auto& [name, word] : facts_of(launch)) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
    }
  }
  return names;
}

}  // namespace

std::vector<LaunchDifference> launch_differences(const Results& before, const Results& after) {
  std::vector<LaunchDifference> differences;
  for (const std::string& fact : names_of(before, after)) {
    LaunchDifference difference{fact, fact_in_words(fact, before), fact_in_words(fact, after)};
    if (difference.before != difference.after) differences.push_back(std::move(difference));
  }
  return differences;
}

}  // namespace breakeven
