// SPDX-License-Identifier: Apache-2.0
// Which part of a run, launch or rank a label is a member of, and the records that a block of cells belongs
// to.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>
#include <vector>

#include "src/hdf5/cells.h"

namespace breakeven::hdf5 {

template <typename Type, typename... Types>
concept OneOf = (std::same_as<Type, Types> || ...);
template <typename Type>
concept AnyChecksum = OneOf<Type, RecordChecksum, LabelChecksum>;
template <typename Part>
concept PartOfRun = OneOf<Part, RecordedRun, PlannedRun, Case>;
template <typename Part>
concept PartOfRecord = OneOf<Part, RunRecord, Telemetry>;
template <typename Part>
concept PartOfLaunch = OneOf<Part, Launch, Topology>;
template <typename Part>
concept PartOfRank = OneOf<Part, RankInfo, DeviceInfo>;

// The part of a run, launch or rank that a variable is a member of.
template <typename Part>
auto& part_of(auto& whole) {
  if constexpr (std::same_as<Part, Case>)
    return whole.planned.what;
  else if constexpr (std::same_as<Part, PlannedRun>)
    return whole.planned;
  else if constexpr (std::same_as<Part, Topology>)
    return whole.topology;
  else if constexpr (std::same_as<Part, DeviceInfo>)
    return whole.device;
  else
    return whole;  // RecordedRun, Launch, RankInfo, Link
}

// The objects that the cells of a block belong to, in the block's order; const where the section is.
template <typename Part>
struct Owners {
  Block block;
  std::vector<Part*> parts;
};

template <typename Part>
auto make_owners(const Block& block, auto&& wholes) {
  Owners<std::remove_reference_t<decltype(part_of<Part>(wholes[0]))>> owners{block, {}};
  for (auto& whole : wholes) owners.parts.push_back(&part_of<Part>(whole));
  return owners;
}

template <typename Part>
auto owners_of(const auto& section) {
  auto& topology = section.launch.topology;
  auto& roofline = section.launch.roofline;
  const hsize_t launch = section.launch_index;
  const hsize_t ranks = topology.ranks.size();
  if constexpr (PartOfRun<Part>)
    return make_owners<Part>({{section.first_run}, {section.runs.size()}}, section.runs);
  else if constexpr (PartOfLaunch<Part>)
    return make_owners<Part>({{launch}, {1}}, std::span(&section.launch, 1));
  else if constexpr (std::same_as<Part, Roofline>)
    return make_owners<Part>({{launch, 0}, {1, roofline.size()}}, roofline);
  else if constexpr (PartOfRank<Part>)
    return make_owners<Part>({{launch, 0}, {1, ranks}}, topology.ranks);
  else
    return make_owners<Part>({{launch, 0, 0}, {1, ranks, ranks}}, topology.links);
}

}  // namespace breakeven::hdf5
