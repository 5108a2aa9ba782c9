// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/labels.h"

#include <algorithm>
#include <concepts>
#include <numeric>
#include <string>

#include "src/core/failure.h"
#include "src/hdf5/cells.h"
#include "src/hdf5/old_roofline.h"

namespace breakeven::hdf5 {
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

// All places of the section's runs in a variable of AutoCandidate.
Block block_of_candidates(const auto& section, const Extents& extents) {
  return {{section.first_run, 0}, {section.runs.size(), extents[Dimension::candidate]}};
}

// All places of a launch in a variable of MessageTimes, which begins with transport and group.
Block block_of_messages(const Variable& variable, hsize_t launch, hsize_t transports, hsize_t groups) {
  Extents start;
  start[Dimension::launch] = launch;
  Extents count;
  count[Dimension::launch] = 1;
  count[Dimension::transport] = transports;
  count[Dimension::group] = groups;
  count[Dimension::operation] = probed_kinds;
  count[Dimension::message] = message_sizes;
  return {shape_of(variable, start), shape_of(variable, count)};
}

struct LabelWriter {
  hid_t file;
  const Extents& extents;
  const FileSlice<const Launch, const RecordedRun>& section;
  const Variable& variable;

  void operator()(const Numbers& numbers) const {
    std::vector<std::int32_t> places(extents[variable.dimensions[0]]);
    std::iota(places.begin(), places.end(), numbers.first);
    write({{0}, {places.size()}}, places);
  }
  // Measurements are stored by a name's place, so a file that grows must have the same names in it.
  void operator()(const Names& names) const {
    const Block block{{0}, {names.words.size()}};
    std::vector<std::string> cells = read_cells<std::string>(file, variable, block);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i].empty() && cells[i] != names.words[i])
        throw Failure(ExitCode::file, "the results file has '" + cells[i] + "' as number " +
                                          std::to_string(i) + " of its " + std::string(variable.name) +
                                          " names; this program has '" + std::string(names.words[i]) + "'");
      cells[i] = names.words[i];
    }
    write(block, cells);
  }
  void operator()(MessageBytes) const {
    std::vector<std::uint64_t> bytes;
    for (std::size_t place = 0; place < message_sizes; ++place) bytes.push_back(message_size(place));
    write({{0}, {bytes.size()}}, bytes);
  }
  void operator()(RecordChecksum) const {}
  template <PartOfRecord Part, typename Value>
  void operator()(Value Part::*) const {}

  void operator()(RateByPrecision Roofline::*member) const {
    const std::vector<Roofline>& ranks = section.launch.roofline;
    std::vector<double> rates;
    for (const Roofline& rank : ranks)
      rates.insert(rates.end(), (rank.*member).begin(), (rank.*member).end());
    write({{section.launch_index, 0, 0}, {1, ranks.size(), precisions.size()}}, rates);
  }

  void operator()(std::vector<double> MessageTimes::*member) const {
    const MessageTimes& times = section.launch.message_times;
    write(block_of_messages(variable, section.launch_index, probed_transports.size(), times.groups()),
          times.*member);
  }

  // Where a run has fewer candidates than the file has places, the others stay unmeasured.
  template <typename Value>
  void operator()(Value AutoCandidate::*member) const {
    static const AutoCandidate none;
    std::vector<typename CellOf<Value AutoCandidate::*>::type> cells;
    for (const RecordedRun& run : section.runs) {
      for (std::size_t i = 0; i < extents[Dimension::candidate]; ++i)
        cells.push_back(to_cell((i < run.candidates.size() ? run.candidates[i] : none).*member));
    }
    write(block_of_candidates(section, extents), cells);
  }

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
  const FileSlice<Launch, RecordedRun>& section;
  const Variable& variable;

  void operator()(const Numbers&) const {}
  void operator()(const Names&) const {}
  void operator()(MessageBytes) const {}
  void operator()(RecordChecksum) const {}
  template <PartOfRecord Part, typename Value>
  void operator()(Value Part::*) const {}

  // By name, since a newer program may have written precisions that this one does not know.
  void operator()(RateByPrecision Roofline::*member) const {
    std::vector<Roofline>& ranks = section.launch.roofline;
    if (ranks.empty()) return;
    if (!has_variable(file, variable)) return read_old_rates(file, section.launch_index, ranks);
    const auto names = read_cells<std::string>(file, variable_named("product_precision"),
                                               {{0}, {extents[Dimension::product_precision]}});
    const auto rates =
        read_cells<double>(file, variable, {{section.launch_index, 0, 0}, {1, ranks.size(), names.size()}});
    for (std::size_t cell = 0; cell < rates.size(); ++cell) {
      const auto precision = find_value<Precision>(names[cell % names.size()]);
      if (precision) (ranks[cell / names.size()].*member)[index_of(*precision)] = rates[cell];
    }
  }

  template <typename Value>
  void operator()(Value AutoCandidate::*member) const {
    const std::size_t places = extents[Dimension::candidate];
    if (section.runs.empty() || places == 0) return;
    const auto cells = read_cells<typename CellOf<Value AutoCandidate::*>::type>(
        file, variable, block_of_candidates(section, extents));
    for (std::size_t run = 0; run < section.runs.size(); ++run) {
      std::vector<AutoCandidate>& candidates = section.runs[run].candidates;
      if (candidates.size() > places)
        throw Failure(ExitCode::file, "run " + std::to_string(run) + " claims " +
                                          std::to_string(candidates.size()) +
                                          " candidates, more than the file has places for");
      for (std::size_t i = 0; i < candidates.size(); ++i)
        from_cell(cells[run * places + i], candidates[i].*member);
    }
  }

  // By transport's name, since another version of the program may have written others. Older files have none.
  void operator()(std::vector<double> MessageTimes::*member) const {
    if (!has_variable(file, variable)) return;
    MessageTimes& times = section.launch.message_times;
    if (times.groups() != extents[Dimension::group])
      times = MessageTimes(static_cast<int>(extents[Dimension::group]) - 1 + smallest_group);
    const auto names =
        read_cells<std::string>(file, variable_named("transport"), {{0}, {extents[Dimension::transport]}});
    const Block block = block_of_messages(variable, section.launch_index, names.size(), times.groups());
    Extents one_launch = extents;
    one_launch[Dimension::launch] = 1;
    if (shape_of(variable, one_launch) != block.count)
      throw Failure(ExitCode::file,
                    "the results file has other collective operations or message sizes than this program");
    const auto cells = read_cells<double>(file, variable, block);
    const std::size_t cells_each = (times.*member).size() / probed_transports.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto place = place_of(find_value<Transport>(names[i]).value_or(Transport::none));
      if (place) std::copy_n(&cells[i * cells_each], cells_each, &(times.*member)[*place * cells_each]);
    }
  }

  template <typename Part, typename Value>
  void operator()(Value Part::*member) const {
    const auto owners = owners_of<Part>(section);
    if (owners.parts.empty() || (variable.is_addition && !has_variable(file, variable))) return;
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
    section.launch.roofline.resize(count);
  }
};

}  // namespace

void write_labels(hid_t file, const Extents& extents,
                  const FileSlice<const Launch, const RecordedRun>& section) {
  for (const Variable& variable : variables())
    std::visit(LabelWriter{file, extents, section, variable}, variable.source);
}

void read_labels(hid_t file, const Extents& extents, const FileSlice<Launch, RecordedRun>& section) {
  for (const Variable& variable : variables())
    std::visit(LabelReader{file, extents, section, variable}, variable.source);
}

}  // namespace breakeven::hdf5
