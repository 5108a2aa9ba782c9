// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/labels.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "src/core/failure.h"
#include "src/hdf5/label_owners.h"

namespace breakeven::hdf5 {
namespace {

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

std::vector<std::uint64_t> all_message_sizes() {
  std::vector<std::uint64_t> bytes;
  for (std::size_t place = 0; place < message_sizes; ++place) bytes.push_back(message_size(place));
  return bytes;
}

// Fills in the rates of one launch. Rates that the file does not have keep their values.
void read_old_rates(const Contents& contents, hsize_t launch, std::span<Roofline> ranks) {
  for (const PrecisionInfo& info : precisions) {
    const Variable& variable = old_rate_variables()[index_of(info.precision)];
    if (!contents.has(variable)) continue;
    const auto rates = read_cells<double>(contents, variable, {{launch, 0}, {1, ranks.size()}});
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank].flops(info.precision) = rates[rank];
  }
}

struct LabelWriter {
  Contents& labels;
  const Extents& extents;
  const FileSlice<const Launch, const RecordedRun>& section;
  const Variable& variable;

  void operator()(const Numbers& numbers) const {
    std::vector<std::int32_t> places(extents[variable.dimensions[0]]);
    std::iota(places.begin(), places.end(), numbers.first);
    write({{0}, {places.size()}}, places);
  }
  void operator()(const Names& names) const {
    const std::vector<std::string> cells(names.words.begin(), names.words.end());
    write({{0}, {cells.size()}}, cells);
  }
  void operator()(MessageBytes) const { write({{0}, {message_sizes}}, all_message_sizes()); }
  template <AnyChecksum Checksum>
  void operator()(Checksum) const {}
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
    if (!cells.empty()) write_cells(labels, variable, block, std::span<const Cell>(cells));
  }
};

struct LabelReader {
  const Contents& contents;
  const Extents& extents;
  const FileSlice<Launch, RecordedRun>& section;
  const Variable& variable;

  void operator()(const Numbers& numbers) const {
    if (!contents.has(variable)) return;
    std::vector<std::int32_t> places(extents[variable.dimensions[0]]);
    std::iota(places.begin(), places.end(), numbers.first);
    expect_coordinate(column_of<std::int32_t>(contents, variable) == places);
  }
  // Numbers are stored by a phase's and an operation's place. Transports and precisions are read by their
  // names.
  void operator()(const Names& names) const {
    if (variable.name != "phase" && variable.name != "operation") return;
    if (!contents.has(variable)) return;
    expect_coordinate(std::ranges::equal(column_of<std::string>(contents, variable), names.words));
  }
  void operator()(MessageBytes) const {
    if (!contents.has(variable)) return;
    expect_coordinate(column_of<std::uint64_t>(contents, variable) == all_message_sizes());
  }
  template <AnyChecksum Checksum>
  void operator()(Checksum) const {}
  template <PartOfRecord Part, typename Value>
  void operator()(Value Part::*) const {}

  static void expect_places(const std::string& claimant, hsize_t count, hsize_t places, const char* of_what) {
    if (!(count <= places))
      throw Failure(ExitCode::file, claimant + " claims " + std::to_string(count) + of_what +
                                        ", more than the file has places for");
  }
  void expect_coordinate(bool holds) const {
    if (!holds)
      throw Failure(ExitCode::file, "the coordinate " + std::string(variable.name) +
                                        " does not hold what this program expects");
  }

  // By name, since a newer program may have written precisions that this one does not know.
  void operator()(RateByPrecision Roofline::*member) const {
    std::vector<Roofline>& ranks = section.launch.roofline;
    if (ranks.empty()) return;
    if (!contents.has(variable)) return read_old_rates(contents, section.launch_index, ranks);
    const auto names = read_cells<std::string>(contents, variable_named("product_precision"),
                                               {{0}, {extents[Dimension::product_precision]}});
    const auto rates = read_cells<double>(contents, variable,
                                          {{section.launch_index, 0, 0}, {1, ranks.size(), names.size()}});
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
        contents, variable, block_of_candidates(section, extents));
    for (std::size_t run = 0; run < section.runs.size(); ++run) {
      std::vector<AutoCandidate>& candidates = section.runs[run].candidates;
      for (std::size_t i = 0; i < candidates.size(); ++i)
        from_cell(cells[run * places + i], candidates[i].*member);
    }
  }

  // By transport's name, since another version of the program may have written others. Older files have none.
  void operator()(std::vector<double> MessageTimes::*member) const {
    if (!contents.has(variable)) return;
    MessageTimes& times = section.launch.message_times;
    if (times.groups() != extents[Dimension::group])
      times = MessageTimes(static_cast<int>(extents[Dimension::group]) - 1 + smallest_group);
    const auto names = read_cells<std::string>(contents, variable_named("transport"),
                                               {{0}, {extents[Dimension::transport]}});
    const Block block = block_of_messages(variable, section.launch_index, names.size(), times.groups());
    Extents one_launch = extents;
    one_launch[Dimension::launch] = 1;
    if (shape_of(variable, one_launch) != block.count)
      throw Failure(ExitCode::file,
                    "the results file has other collective operations or message sizes than this program");
    const auto cells = read_cells<double>(contents, variable, block);
    const std::size_t cells_each = (times.*member).size() / probed_transports.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto place = place_of(find_value<Transport>(names[i]).value_or(Transport::none));
      if (place) std::copy_n(&cells[i * cells_each], cells_each, &(times.*member)[*place * cells_each]);
    }
  }

  template <typename Part, typename Value>
  void operator()(Value Part::*member) const {
    const auto owners = owners_of<Part>(section);
    if (owners.parts.empty() || (variable.is_addition && !contents.has(variable))) return;
    const auto cells = read_cells<typename CellOf<Value Part::*>::type>(contents, variable, owners.block);
    for (std::size_t i = 0; i < cells.size(); ++i) from_cell(cells[i], owners.parts[i]->*member);
  }

  // The number of candidates comes before what belongs to them, in the table as in the file.
  void operator()(std::vector<AutoCandidate> RecordedRun::*member) const {
    if (section.runs.empty() || !contents.has(variable)) return;
    const auto counts =
        read_cells<std::uint32_t>(contents, variable, {{section.first_run}, {section.runs.size()}});
    for (std::size_t run = 0; run < counts.size(); ++run) {
      if (!(counts[run] <= extents[Dimension::candidate]))
        throw Failure(ExitCode::file, "run " + std::to_string(run) + " claims " +
                                          std::to_string(counts[run]) +
                                          " candidates, more than the file has places for");
      from_cell(counts[run], section.runs[run].*member);
    }
  }

  // So does the number of ranks.
  void operator()(std::vector<RankInfo> Topology::*member) const {
    const std::uint32_t count =
        read_cells<std::uint32_t>(contents, variable, {{section.launch_index}, {1}})[0];
    expect_places("launch " + std::to_string(section.launch_index), count,
                  std::min(extents[Dimension::rank], extents[Dimension::peer]), " ranks");
    if (count == 0) throw Failure(ExitCode::file, "a launch claims 0 ranks");
    from_cell(count, section.launch.topology.*member);
    section.launch.topology.links.resize(std::size_t{count} * count);
    section.launch.roofline.resize(count);
  }
};

}  // namespace

Contents make_labels(const Extents& extents) {
  Contents labels;
  for (const Variable& variable : variables()) {
    if (variable.is_measured() || std::holds_alternative<RecordChecksum>(variable.source)) continue;
    const std::vector<hsize_t> shape = shape_of(variable, extents);
    labels.put(variable, {shape, make_column(variable, Block{{}, shape}.cells())});
  }
  return labels;
}

void write_labels(Contents& labels, const Extents& extents,
                  const FileSlice<const Launch, const RecordedRun>& section) {
  for (const Variable& variable : variables())
    std::visit(LabelWriter{labels, extents, section, variable}, variable.source);
}

void read_labels(const Contents& contents, const Extents& extents,
                 const FileSlice<Launch, RecordedRun>& section) {
  for (const Variable& variable : variables())
    std::visit(LabelReader{contents, extents, section, variable}, variable.source);
}

}  // namespace breakeven::hdf5
