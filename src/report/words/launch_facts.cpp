// SPDX-License-Identifier: Apache-2.0
#include "src/report/words/launch_facts.h"

#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "src/report/format/columns.h"
#include "src/report/sections/roofline.h"
#include "src/report/words/machine.h"
#include "src/report/words/planned_runs.h"

namespace breakeven::report {
namespace {

using Json = nlohmann::ordered_json;
using Pairs = std::vector<std::pair<std::string, std::string>>;

enum class About { machine, program, environment };

struct LaunchFact {
  About about;
  std::string_view key;    // of JSON; "": JSON has lists of its own for it
  std::string_view label;  // of its item
  std::string_view meaning;
  std::string (*words)(const Launch&);
  Pairs Launch::*pairs = nullptr;      // what the words name, where they are names with values
  std::string_view name_of_pair = {};  // in a comparison of two files, before the pair's own name
};

// "seed=42 steps=100"
template <Pairs Launch::*pairs>
std::string assigned(const Launch& launch) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : launch.*pairs) parts.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string versions_in_words(const Launch& launch) {
  std::vector<std::string> parts;
  for (const auto& [name, version] : launch.versions) {
    if (!version.empty()) parts.push_back(fmt::format("{} {}", name, version));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

// In the order of the items.
constexpr std::array facts{
    LaunchFact{.about = About::machine,
               .key = "machine",
               .label = "Machine",
               .meaning = "devices, their number, hosts",
               .words = [](const Launch& launch) { return machine_name(launch.topology); }},
    LaunchFact{.about = About::machine,
               .key = "",
               .label = "Links",
               .meaning = "of each kind: bandwidth and latency, least to most",
               .words = [](const Launch& launch) { return links_in_words(launch.topology); }},
    LaunchFact{.about = About::machine,
               .key = "",
               .label = "Roofline",
               .meaning = "measured peak rates of the slowest rank",
               .words = roofline_in_words},
    LaunchFact{.about = About::machine,
               .key = "copy_method",
               .label = "Copies of the roofline",
               .meaning = "how its bandwidth was measured: `kernel`, or `cudaMemcpyAsync` in older files",
               .words = copy_method_of},
    LaunchFact{.about = About::program,
               .key = "command_line",
               .label = "Command",
               .meaning = "of the launch",
               .words = [](const Launch& launch) { return launch.command_line; }},
    LaunchFact{.about = About::program,
               .key = "revision",
               .label = "Revision",
               .meaning = "of the source",
               .words = [](const Launch& launch) { return launch.git_revision; }},
    LaunchFact{.about = About::program,
               .key = "versions",
               .label = "Versions",
               .meaning = "of libraries",
               .words = versions_in_words,
               .pairs = &Launch::versions,
               .name_of_pair = "version of"},
    LaunchFact{.about = About::program,
               .key = "settings",
               .label = "Settings",
               .meaning = "options of the launch",
               .words = assigned<&Launch::settings>,
               .pairs = &Launch::settings,
               .name_of_pair = "setting"},
    LaunchFact{.about = About::program,
               .key = "started",
               .label = "Started",
               .meaning = "when, in UTC",
               .words = [](const Launch& launch) { return launch.started; }},
    LaunchFact{.about = About::environment,
               .key = "environment",
               .label = "Environment",
               .meaning = "variables of the launch",
               .words = assigned<&Launch::environment>,
               .pairs = &Launch::environment,
               .name_of_pair = "environment"},
};

DeclaredColumns item_columns() {
  DeclaredColumns columns;
  for (const LaunchFact& fact : facts) columns.push_back(words("", fact.label, fact.meaning));
  columns.push_back(words("", "Runs", "done of planned, verified, left out"));
  return columns;
}
const DeclaredTable declared_items{
    {.command = "report", .title = "Provenance", .page = "report.md#provenance", .columns = item_columns()}};

std::string item_of(const LaunchFact& fact, const Launch& launch) {
  const std::string text = fact.words(launch);
  if (text.empty()) return "";
  return fmt::format(fmt::runtime(fact.key == "command_line" ? "{}: `{}`" : "{}: {}"), fact.label, text);
}

// A fact that differs between launches has an item for each, another fact one item.
void add_items(About about, const Results& results, std::vector<std::string>& items) {
  for (const LaunchFact& fact : facts) {
    std::set<std::string> told{""};
    for (const Launch& launch : results.launches) {
      const std::string item = item_of(fact, launch);
      if (fact.about == about && told.insert(item).second) items.push_back(item);
    }
  }
}

// Every word of the set, in its order: "13.0; 13.1".
std::string listed(const std::set<std::string>& words) { return fmt::format("{}", fmt::join(words, "; ")); }

std::string hosts_of(const Launch& launch) {
  std::set<std::string> hosts;
  for (const RankInfo& rank : launch.topology.ranks) hosts.insert(rank.host);
  return listed(hosts);
}

std::string link_kinds_of(const Launch& launch) {
  std::set<std::string> kinds;
  for (const Link& link : launch.topology.links) {
    if (link.kind != "self") kinds.insert(link.kind);
  }
  return listed(kinds);
}

Pairs compared_facts(const Launch& launch) {
  Pairs compared{{"machine", machine_name(launch.topology)},
                 {"hosts", hosts_of(launch)},
                 {"links", link_kinds_of(launch)},
                 {"revision", launch.git_revision}};
  for (const LaunchFact& fact : facts) {
    if (fact.pairs == nullptr) continue;
    for (const auto& [name, value] : launch.*fact.pairs)
      compared.emplace_back(fmt::format("{} {}", fact.name_of_pair, name), value);
  }
  return compared;
}

std::string words_of_fact(const std::string& name, const Results& results) {
  std::set<std::string> words;
  for (const Launch& launch : results.launches) {
    for (const auto& [other, word] : compared_facts(launch)) {
      if (other == name && !word.empty()) words.insert(word);
    }
  }
  return listed(words);
}

}  // namespace

std::vector<std::string> provenance(const Results& results) {
  std::vector<std::string> items;
  add_items(About::machine, results, items);
  add_items(About::program, results, items);
  items.push_back("Runs: " + runs_in_words(results));
  add_items(About::environment, results, items);
  return items;
}

void add_launch_items(const Launch& launch, Document& document) {
  for (const LaunchFact& fact : facts) {
    const std::string item = fact.about == About::program ? item_of(fact, launch) : "";
    if (!item.empty()) document.item(item);
  }
}

Json launch_as_json(const Launch& launch) {
  Json object;
  for (const LaunchFact& fact : facts) {
    if (fact.key.empty()) continue;
    Json& place = object[fact.key];
    place = fact.pairs == nullptr ? Json(fact.words(launch)) : Json::object();
    if (fact.pairs == nullptr) continue;
    for (const auto& [name, value] : launch.*fact.pairs) place[name] = value;
  }
  return object;
}

DeclaredColumns launch_columns() {
  DeclaredColumns columns;
  for (const LaunchFact& fact : facts) {
    if (fact.key.empty()) continue;
    const JsonType type = fact.pairs == nullptr ? JsonType::text : JsonType::named_texts;
    columns.push_back(datum(fact.key, "", fact.meaning).typed(type).always_known());
  }
  return columns;
}

std::vector<LaunchDifference> launch_differences(const Results& before, const Results& after) {
  std::vector<LaunchDifference> differences;
  std::set<std::string> seen;
  for (const Results* results : {&before, &after}) {
    for (const Launch& launch : results->launches) {
      for (const auto& [name, word] : compared_facts(launch)) {
        if (!seen.insert(name).second) continue;
        LaunchDifference difference{name, words_of_fact(name, before), words_of_fact(name, after)};
        if (difference.before != difference.after) differences.push_back(std::move(difference));
      }
    }
  }
  return differences;
}

std::string in_all_launches(const Results& results, std::string Launch::*fact) {
  std::string text;
  std::string last;
  for (const Launch& launch : results.launches) {
    if (launch.*fact == last) continue;
    last = launch.*fact;
    text += (text.empty() ? "" : " ; ") + last;
  }
  return text;
}

}  // namespace breakeven::report
