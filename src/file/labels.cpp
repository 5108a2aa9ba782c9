// SPDX-License-Identifier: Apache-2.0
#include "src/file/labels.h"

#include <concepts>
#include <numeric>
#include <string>

#include "kernels/failure.h"
#include "src/file/cell.h"

namespace breakeven {
namespace {

template <typename Type, typename... Types>
concept OneOf = (std::same_as<Type, Types> || ...);
template <typename Part>
concept PartOfRun = OneOf<Part, RecordedRun, PlannedRun, Case>;
template <typename Part>
concept PartOfRecord = OneOf<Part, RunRecord, Telemetry>;
template <typename Part>
concept PartOfLaunch = OneOf<Part, Launch, Topology>;
template <typename Part>
concept PartOfRank = OneOf<Part, RankInfo, DeviceInfo>;

// What the cells of a block belong to, in the block's order.
template <typename Part>
struct Owners {
  Block block;
  std::vector<Part*> parts;
};

// Part is the class whose member a variable is; the owners are const where the section is.
template <PartOfRun Part, typename LaunchType, typename RunType>
auto owners_of(const Section<LaunchType, RunType>& section) {
  const auto part = [](RunType & run) -> auto& {
    if constexpr (std::same_as<Part, Case>)
      return run.planned.what;
    else if constexpr (std::same_as<Part, PlannedRun>)
      return run.planned;
    else
      return run;
  };
  Owners<std::remove_reference_t<decltype(part(section.runs[0]))>> owners{
      {{section.first_run}, {section.runs.size()}}, {}};
  for (RunType& run : section.runs) owners.parts.push_back(&part(run));
  return owners;
}

template <PartOfLaunch Part, typename LaunchType, typename RunType>
auto owners_of(const Section<LaunchType, RunType>& section) {
  const Block block{{section.launch_index}, {1}};
  if constexpr (std::same_as<Part, Topology>)
    return Owners<std::remove_reference_t<decltype((section.launch.topology))>>{block,
                                                                                {&section.launch.topology}};
  else
    return Owners<LaunchType>{block, {&section.launch}};
}

template <PartOfRank Part, typename LaunchType, typename RunType>
auto owners_of(const Section<LaunchType, RunType>& section) {
  auto& ranks = section.launch.topology.ranks;
  const auto part = [](auto& rank) -> auto& {
    if constexpr (std::same_as<Part, DeviceInfo>)
      return rank.device;
    else
      return rank;
  };
  Owners<std::remove_reference_t<decltype(part(ranks[0]))>> owners{
      {{section.launch_index, 0}, {1, ranks.size()}}, {}};
  for (auto& rank : ranks) owners.parts.push_back(&part(rank));
  return owners;
}

template <std::same_as<Link> Part, typename LaunchType, typename RunType>
auto owners_of(const Section<LaunchType, RunType>& section) {
  auto& links = section.launch.topology.links;
  const hsize_t ranks = section.launch.topology.ranks.size();
  Owners<std::remove_reference_t<decltype(links[0])>> owners{
      {{section.launch_index, 0, 0}, {1, ranks, ranks}}, {}};
  for (auto& link : links) owners.parts.push_back(&link);
  return owners;
}

struct LabelWriter {
  hid_t file;
  const Extents& extents;
  const Section<const Launch, const RecordedRun>& section;
  const Variable& variable;

  void operator()(PlaceNumber) const {
    std::vector<std::int32_t> places(extents[variable.dimensions[0]]);
    std::iota(places.begin(), places.end(), 0);
    write({{0}, {places.size()}}, places);
  }
  void operator()(PhaseName) const {
    std::vector<std::string> names;
    for (const PhaseInfo& phase : phases) names.emplace_back(phase.name);
    write({{0}, {names.size()}}, names);
  }
  void operator()(RecordChecksum) const {}
  template <PartOfRecord Part, typename Value>
  void operator()(Value Part::*) const {}

  template <typename Part, typename Value>
  void operator()(Value Part::*member) const {
    const auto owners = owners_of<Part>(section);
    std::vector<typename CellOf<Value Part::*>::type> cells;
    for (const auto* part : owners.parts) cells.push_back(to_cell(part->*member));
    write(owners.block, cells);
  }

  template <typename Cell>
  void write(const Block& block, const std::vector<Cell>& cells) const {
    if (!cells.empty()) write_cells(file, variable, block, std::span<const Cell>(cells));
  }
};

struct LabelReader {
  hid_t file;
  const Extents& extents;
  const Section<Launch, RecordedRun>& section;
  const Variable& variable;

  void operator()(PlaceNumber) const {}
  void operator()(PhaseName) const {}
  void operator()(RecordChecksum) const {}
  template <PartOfRecord Part, typename Value>
  void operator()(Value Part::*) const {}

  template <typename Part, typename Value>
  void operator()(Value Part::*member) const {
    const auto owners = owners_of<Part>(section);
    if (owners.parts.empty()) return;
    const auto cells = read_cells<typename CellOf<Value Part::*>::type>(file, variable, owners.block);
    for (std::size_t i = 0; i < cells.size(); ++i) from_cell(cells[i], owners.parts[i]->*member);
  }

  // The number of ranks comes before what belongs to them, in the table as in the file.
  void operator()(std::vector<RankInfo> Topology::*member) const {
    const std::uint32_t count = read_cells<std::uint32_t>(file, variable, {{section.launch_index}, {1}})[0];
    if (!(count <= extents[Dimension::rank] && count <= extents[Dimension::peer]))
      throw Failure(ExitCode::file, "launch " + std::to_string(section.launch_index) + " claims " +
                                        std::to_string(count) + " ranks, more than the file has places for");
    from_cell(count, section.launch.topology.*member);
    section.launch.topology.links.resize(std::size_t{count} * count);
  }
};

}  // namespace

void write_labels(hid_t file, const Extents& extents,
                  const Section<const Launch, const RecordedRun>& section) {
  for (const Variable& variable : variables())
    std::visit(LabelWriter{file, extents, section, variable}, variable.source);
}

void read_labels(hid_t file, const Extents& extents, const Section<Launch, RecordedRun>& section) {
  for (const Variable& variable : variables())
    std::visit(LabelReader{file, extents, section, variable}, variable.source);
}

}  // namespace breakeven
