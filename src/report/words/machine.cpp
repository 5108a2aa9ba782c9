// SPDX-License-Identifier: Apache-2.0
// Devices, hosts and links of a topology in words.
#include "src/report/words/machine.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "src/report/format/numbers.h"

namespace breakeven::report {
namespace {

std::string spread(const std::vector<double>& values, std::string (*format)(double)) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const std::string first = format(*low);
  const std::string last = format(*high);
  return first == last ? first : first + " to " + last;
}

using Names = std::set<std::string>;

Names ids_of_devices(const Topology& topology) {
  Names ids;
  for (const RankInfo& rank : topology.ranks)
    ids.insert(rank.device.uuid.empty() ? rank.host : rank.device.uuid);
  return ids;
}

bool have_one_in_common(const Names& some, const Names& others) {
  return std::ranges::any_of(some, [&](const std::string& name) { return others.contains(name); });
}

struct LinkReadings {
  std::size_t pairs = 0;
  std::vector<double> bytes_per_second;
  std::vector<double> latency_seconds;
};

}  // namespace

std::string machine_name(const Topology& topology) {
  std::vector<std::pair<std::string, int>> devices;
  std::set<std::string> hosts;
  for (const RankInfo& rank : topology.ranks) {
    const bool host = rank.device.is_host();
    const std::string named = rank.device.name.empty() ? "device without a name" : rank.device.name;
    const std::string name = named + (host ? " (host backend)" : "");
    const auto known =
        std::find_if(devices.begin(), devices.end(), [&](const auto& d) { return d.first == name; });
    if (known == devices.end()) {
      devices.emplace_back(name, 1);
    } else {
      ++known->second;
    }
    hosts.insert(rank.host);
  }
  std::string text;
  for (const auto& [name, count] : devices) {
    text += (text.empty() ? "" : " and ") + fmt::format("{}x {}", count, name);
  }
  if (hosts.size() > 1) text += fmt::format(" on {} hosts", hosts.size());
  return text.empty() ? "an unknown machine" : text;
}

std::size_t count_machines(const Results& results) {
  std::set<std::uint32_t> all;
  for (std::uint32_t i = 0; i < results.launches.size(); ++i) all.insert(i);
  return count_machines(results, all);
}

std::size_t count_machines(const Results& results, const std::set<std::uint32_t>& launches) {
  std::vector<Names> machines;
  for (const std::uint32_t launch : launches) {
    Names names = ids_of_devices(results.launches[launch].topology);
    for (const Names& known : machines)
      if (have_one_in_common(names, known)) names.insert(known.begin(), known.end());
    std::erase_if(machines, [&](const Names& known) { return have_one_in_common(names, known); });
    machines.push_back(std::move(names));
  }
  return machines.size();
}

std::size_t count_machine_kinds(const Results& results) {
  std::set<Names> kinds;
  for (const Launch& launch : results.launches) {
    Names kind;
    for (const RankInfo& rank : launch.topology.ranks) kind.insert(rank.device.backend + rank.device.name);
    kinds.insert(std::move(kind));
  }
  return kinds.size();
}

std::string machine_name(const Results& results) {
  if (results.launches.empty()) return "an unknown machine";
  const auto count_ranks = [](const Launch& launch) { return launch.topology.ranks.size(); };
  const Launch& largest = *std::ranges::max_element(results.launches, {}, count_ranks);
  return machine_name(largest.topology) + (count_machine_kinds(results) > 1 ? " and others" : "");
}

std::string links_in_words(const Topology& topology) {
  const std::size_t ranks = topology.ranks.size();
  std::map<std::string, LinkReadings> kinds;
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    if (i / ranks == i % ranks) continue;
    const Link& link = topology.links[i];
    LinkReadings& readings = kinds[link.kind];
    ++readings.pairs;
    if (std::isfinite(link.bytes_per_second)) readings.bytes_per_second.push_back(link.bytes_per_second);
    if (std::isfinite(link.latency_seconds)) readings.latency_seconds.push_back(link.latency_seconds);
  }
  std::string text;
  for (const auto& [kind, readings] : kinds) {
    // Programs with a recorder know nothing of their links.
    if (kind == "?" && readings.bytes_per_second.empty()) continue;
    text += text.empty() ? "" : "; ";
    text += fmt::format("{}: ", kind);
    text += readings.bytes_per_second.empty()
                ? "bandwidth not measured"
                : spread(readings.bytes_per_second, format_bandwidth) + " one way";
    if (!readings.latency_seconds.empty())
      text += ", " + spread(readings.latency_seconds, format_seconds) + " latency";
    text += fmt::format(" ({} directed pair{})", readings.pairs, readings.pairs == 1 ? "" : "s");
  }
  return text;
}

bool ran_on_host(const Results& results) {
  std::size_t ranks = 0;
  for (const Launch& launch : results.launches) {
    for (const RankInfo& rank : launch.topology.ranks) {
      if (!rank.device.is_host()) return false;
      ++ranks;
    }
  }
  return ranks > 0;
}

std::string host_warning(const Results& results) {
  return ran_on_host(results)
             ? "The devices are processor cores (host backend), not GPUs: the figures say nothing about GPUs."
             : "";
}

bool links_carry_right(const Topology& topology) {
  const std::size_t ranks = topology.ranks.size();
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const Link& link = topology.links[i];
    if (i / ranks != i % ranks && std::isfinite(link.bytes_per_second) && !link.data_right) return false;
  }
  return true;
}

}  // namespace breakeven::report
