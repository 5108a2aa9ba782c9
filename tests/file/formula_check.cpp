// SPDX-License-Identifier: Apache-2.0
#include "tests/file/formula_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "src/hdf5/records.h"
#include "tests/file/formula.h"

namespace breakeven {
namespace {

bool same(const DeviceInfo& left, const DeviceInfo& right) {
  return left.backend == right.backend && left.name == right.name && left.uuid == right.uuid &&
         left.pci_address == right.pci_address && left.multiprocessors == right.multiprocessors &&
         left.compute_capability == right.compute_capability && left.memory_bytes == right.memory_bytes &&
         left.numa_node == right.numa_node;
}

bool same(const Link& left, const Link& right) {
  return left.kind == right.kind && left.peer_access == right.peer_access &&
         left.data_right == right.data_right && same_bits(left.bytes_per_second, right.bytes_per_second) &&
         same_bits(left.latency_seconds, right.latency_seconds);
}

bool same(const Topology& left, const Topology& right) {
  if (left.ranks.size() != right.ranks.size() || left.links.size() != right.links.size()) return false;
  for (std::size_t i = 0; i < left.ranks.size(); ++i)
    if (left.ranks[i].host != right.ranks[i].host || !same(left.ranks[i].device, right.ranks[i].device))
      return false;
  for (std::size_t i = 0; i < left.links.size(); ++i)
    if (!same(left.links[i], right.links[i])) return false;
  return true;
}

bool same(const std::vector<Roofline>& left, const std::vector<Roofline>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const Roofline& one, const Roofline& other) {
                      return std::memcmp(&one, &other, sizeof one) == 0;  // all of it are doubles
                    });
}

// A later launch of more ranks makes room for larger groups in all of them, with nothing in it.
bool same_where_measured(const MessageTimes& found, const MessageTimes& expected) {
  const auto same_group = [&](std::size_t transport, int ranks) {
    const auto cells = [&](const MessageTimes& times) {
      std::vector<double> all{times.connect_seconds[times.place_of(transport, ranks)]};
      for (std::size_t kind = 0; kind < probed_kinds; ++kind) {
        const auto seconds = times.of(transport, ranks, static_cast<Collective>(kind));
        all.insert(all.end(), seconds.begin(), seconds.end());
      }
      return all;
    };
    if (ranks <= expected.largest_group) return std::ranges::equal(cells(found), cells(expected), same_bits);
    return std::ranges::all_of(cells(found), [](double seconds) { return std::isnan(seconds); });
  };
  for (std::size_t transport = 0; transport < probed_transports.size(); ++transport) {
    for (int ranks = smallest_group; ranks <= found.largest_group; ++ranks)
      if (!same_group(transport, ranks)) return false;
  }
  return found.largest_group >= expected.largest_group;
}

bool same(const Launch& left, const Launch& right) {
  return left.started == right.started && left.command_line == right.command_line &&
         left.git_revision == right.git_revision && left.copy_method == right.copy_method &&
         left.versions == right.versions && left.environment == right.environment &&
         same(left.topology, right.topology) && same(left.roofline, right.roofline) &&
         same_where_measured(left.message_times, right.message_times);
}

bool same(const AutoCandidate& left, const AutoCandidate& right) {
  for (const auto number :
       {&AutoCandidate::predicted_seconds, &AutoCandidate::predicted_low, &AutoCandidate::predicted_high,
        &AutoCandidate::probed_seconds, &AutoCandidate::probed_low, &AutoCandidate::probed_high}) {
    if (!same_bits(left.*number, right.*number)) return false;
  }
  return left.strategy == right.strategy && left.gpus == right.gpus && left.probe_steps == right.probe_steps;
}

bool same_choice(const RecordedRun& left, const RecordedRun& right) {
  return same_bits(left.choosing_seconds, right.choosing_seconds) &&
         std::ranges::equal(left.candidates, right.candidates,
                            [](const AutoCandidate& a, const AutoCandidate& b) { return same(a, b); });
}

bool same_labels(const RecordedRun& found, const RecordedRun& expected, std::size_t place) {
  return found.planned.what == expected.planned.what && found.planned.repeat == expected.planned.repeat &&
         found.planned.order == expected.planned.order && found.warmup == expected.warmup &&
         found.steps == expected.steps && same_choice(found, expected) &&
         found.parameters == expected.parameters &&
         found.label == label_of(expected.planned.what) + " #" + std::to_string(place);
}

void check_numbers(const RecordedRun& run, const Formula& formula, Verdict& verdict) {
  if (run.ranks.size() != static_cast<std::size_t>(run.planned.what.gpus)) ++verdict.wrong_numbers;
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
    const RunRecord expected = record_of(formula, run.planned.order, rank);
    for (const hdf5::Variable& variable : hdf5::variables()) {
      const auto found_values = hdf5::values_of(run.ranks[rank], variable);
      const auto expected_values = hdf5::values_of(expected, variable);
      if (found_values.size() != expected_values.size()) ++verdict.wrong_numbers;
      for (std::size_t i = 0; i < found_values.size() && i < expected_values.size(); ++i) {
        if (same_bits(found_values[i], expected_values[i])) continue;
        if (run.status != RunStatus::planned)
          ++verdict.wrong_numbers;
        else if (!std::isnan(found_values[i]))
          ++verdict.stray_numbers;
      }
    }
  }
}

}  // namespace

Verdict check(const Results& results) {
  Verdict verdict;
  for (const Launch& launch : results.launches)
    if (!same(launch, plan_of(formula_of(launch)).launch)) ++verdict.wrong_labels;
  for (std::size_t place = 0; place < results.runs.size(); ++place) {
    const RecordedRun& run = results.runs[place];
    const Formula formula = formula_of(results.launches[run.launch]);
    const RecordedRun expected = plan_of(formula).runs.at(run.planned.order);
    if (!same_labels(run, expected, place)) ++verdict.wrong_labels;
    check_numbers(run, formula, verdict);
    verdict.verified += run.status == RunStatus::verified;
    verdict.complete += run.status == RunStatus::complete;
    verdict.planned += run.status == RunStatus::planned;
  }
  return verdict;
}

}  // namespace breakeven
