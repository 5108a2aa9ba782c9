// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/contents_changes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "src/core/failure.h"
#include "src/hdf5/checksums.h"
#include "src/hdf5/labels.h"
#include "src/hdf5/records.h"
#include "src/hdf5/send_contents.h"

namespace breakeven::fuzz {
namespace {

using namespace hdf5;

constexpr std::size_t most_changes = 12;
constexpr hsize_t most_places = 9;

double odd_cell(double, Decisions& decisions) {
  constexpr std::array odd{0.0,   1.0,   -1.0, 2.0,       1e-3, 3e-3,         0.5,    1e-300,   5e-324,
                           1e300, -1e-3, 4.0,  1048576.0, 1e12, 4294967296.0, 1.8e19, HUGE_VAL, -HUGE_VAL};
  const std::size_t choice = decisions.below(odd.size() + 2);
  if (choice < odd.size()) return odd[choice];
  return choice == odd.size() ? not_measured : std::bit_cast<double>(decisions.number(8));
}

template <typename Number>
Number odd_cell(Number, Decisions& decisions) {
  constexpr std::array<std::int64_t, 14> odd{0,   1,   2,   3,       4,          5,           -1,
                                             127, 255, 256, 1 << 16, 2147483647, -2147483648, 4294967295};
  const std::size_t choice = decisions.below(odd.size() + 1);
  return static_cast<Number>(choice < odd.size() ? odd[choice] : decisions.number(sizeof(Number)));
}

// A text of a results file has no zero within.
std::string odd_cell(const std::string&, Decisions& decisions) {
  constexpr std::array<std::string_view, 44> words{"",
                                                   "single",
                                                   "ddp",
                                                   "zero1",
                                                   "tensor",
                                                   "pipeline:micro-batches=4",
                                                   "auto",
                                                   "local-sgd:period=8",
                                                   "async-server",
                                                   "hybrid:data=2:tensor=1:pipeline=1",
                                                   "ddp:buckets=4MB",
                                                   "medium",
                                                   "784-512-10",
                                                   "xl",
                                                   "a model",
                                                   "fp32",
                                                   "bf16",
                                                   "fp16",
                                                   "tf32x3",
                                                   "fp64",
                                                   "tiled",
                                                   "cublas",
                                                   "tuned",
                                                   "none",
                                                   "nccl",
                                                   "peer",
                                                   "mpi",
                                                   "strong",
                                                   "weak",
                                                   "steps",
                                                   "phases",
                                                   "total",
                                                   "resident",
                                                   "streamed",
                                                   "host",
                                                   "cuda",
                                                   "NVIDIA H100",
                                                   "{}",
                                                   R"({"until": "loss=0.5"})",
                                                   R"({"target-ci": "1%"})",
                                                   R"({"recorder": "x", "recorded-loss": "none"})",
                                                   R"({"NCCL_ALGO": "Ring"})",
                                                   "\x1b[2J\xff",
                                                   "2026-01-02T03:04:06Z"};
  const std::size_t choice = decisions.below(words.size() + 1);
  std::string text = choice < words.size() ? std::string(words[choice]) : decisions.text();
  return text.substr(0, text.find('\0'));
}

// The cells of `column` along other extents: what was there stays, and new places repeat it.
template <typename Cell>
std::vector<Cell> along(const std::vector<Cell>& column, const std::vector<hsize_t>& old_shape,
                        const std::vector<hsize_t>& shape) {
  const std::size_t cells = Block{{}, shape}.cells();
  std::vector<Cell> other(cells);
  for (std::size_t cell = 0; cell < cells && !column.empty(); ++cell) {
    std::size_t from = 0, left = cell, cells_each = cells;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      cells_each /= shape[axis];
      from = from * old_shape[axis] + left / cells_each % old_shape[axis];
      left %= cells_each;
    }
    other[cell] = column[from];
  }
  return other;
}

void number_from(std::int32_t first, std::vector<std::int32_t>& numbers) {
  std::iota(numbers.begin(), numbers.end(), first);
}

std::size_t cells_of(const StoredVariable& stored) {
  return std::visit([](const auto& column) { return column.size(); }, stored.column);
}

// False after change_shape().
bool fits(const StoredVariable& stored) {
  return std::ranges::max(stored.shape) < (1u << 16) && cells_of(stored) == Block{{}, stored.shape}.cells();
}

void add_checksums(Contents& contents) {
  const Extents extents = extents_of(contents);
  for (const Variable& variable : variables())
    if (!fits(contents.at(variable))) return;
  add_label_checksums(contents);
  std::vector<RecordedRun> runs(extents[Dimension::run]);
  Launch launch;
  if (extents[Dimension::launch] > 0) read_labels(contents, extents, {0, launch, 0, std::span(runs)});
  read_records(contents, extents, 0, runs);
  auto& sums = std::get<std::vector<std::uint64_t>>(contents.at(variable_named("checksum")).column);
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (std::size_t rank = 0; rank < runs[run].ranks.size(); ++rank)
      sums[run * extents[Dimension::rank] + rank] = checksum_of(runs[run].ranks[rank]);
}

}  // namespace

void ChangedContents::change(Decisions& decisions) {
  for (std::size_t changes = 0; changes < most_changes && !decisions.is_over(); ++changes)
    change_once(decisions);
}

void ChangedContents::change_once(Decisions& decisions) {
  const std::size_t kind = decisions.below(16);
  if (kind == 0) {
    const auto dimension = static_cast<Dimension>(decisions.below(dimension_names.size()));
    return resize(dimension, decisions.below(most_places));
  }
  if (kind == 1) return contents_.add_unknown(decisions.text());
  const Variable& variable = decisions.one_of(variables());
  if (kind == 2) return leave_out(variable);
  if (kind == 3) return change_shape(variable, decisions);
  if (kind < 6) return copy_cell(variable, decisions);
  set_cells(variable, decisions);
}

// One cell, or all from one on.
void ChangedContents::set_cells(const Variable& variable, Decisions& decisions) {
  std::visit(
      [&]<typename Cell>(std::vector<Cell>& column) {
        if (column.empty()) return;
        const std::size_t first = decisions.below(column.size());
        const std::size_t end = decisions.below(4) == 3 ? column.size() : first + 1;
        const Cell cell = odd_cell(Cell{}, decisions);
        std::fill(column.begin() + first, column.begin() + end, cell);
      },
      contents_.at(variable).column);
}

void ChangedContents::copy_cell(const Variable& variable, Decisions& decisions) {
  std::visit(
      [&](auto& column) {
        const std::size_t from = decisions.below(column.size()), to = decisions.below(column.size());
        if (!column.empty()) column[to] = column[from];
      },
      contents_.at(variable).column);
}

// Of this variable alone, with as many cells as it now says or as before.
void ChangedContents::change_shape(const Variable& variable, Decisions& decisions) {
  constexpr std::array<hsize_t, 8> extents{0, 1, 2, 3, 5, 1ull << 32, 1ull << 40, ~0ull};
  StoredVariable& stored = contents_.at(variable);
  stored.shape[decisions.below(stored.shape.size())] = decisions.one_of(extents);
  std::size_t cells = 1;
  for (const hsize_t extent : stored.shape) cells = extent < 100 ? cells * extent : 10000;
  if (decisions.below(2) == 0 && cells < 10000)
    std::visit([&](auto& column) { column.resize(cells); }, stored.column);
}

void ChangedContents::resize(Dimension dimension, hsize_t places) {
  for (const Variable& variable : variables()) {
    StoredVariable& stored = contents_.at(variable);
    std::vector<hsize_t> shape = stored.shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      if (variable.dimensions[axis] == dimension) shape[axis] = places;
    if (shape == stored.shape || !fits(stored)) continue;
    std::visit([&](auto& column) { column = along(column, stored.shape, shape); }, stored.column);
    stored.shape = shape;
    if (const auto* numbers = std::get_if<Numbers>(&variable.source))
      number_from(numbers->first, std::get<std::vector<std::int32_t>>(stored.column));
  }
}

// What a variable that is not there counts as: its cells are empty.
void ChangedContents::leave_out(const Variable& variable) {
  StoredVariable& stored = contents_.at(variable);
  stored.column = make_column(variable, cells_of(stored));
  left_out_.insert(variable.name);
}

void ChangedContents::make_checksums_right() {
  try {
    add_checksums(contents_);
  } catch (const Failure&) {
    return;  // nobody could read them either
  }
}

std::string ChangedContents::messages() const {
  std::string all;
  const auto add = [&](const void* data, std::size_t bytes) {
    if (bytes > 0) all.append(static_cast<const char*>(data), bytes);
  };
  const auto add_header = [&](Header::Kind kind, std::size_t place, std::size_t rank, std::size_t bytes) {
    const Header header{kind, static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(rank), bytes};
    add(&header, sizeof header);
  };
  for (std::size_t place = 0; place < readable_variables().size(); ++place) {
    const Variable& variable = readable_variables()[place];
    add_header(Header::Kind::begins, place, 0, 0);
    if (!contents_.has(variable) || left_out_.contains(variable.name)) continue;
    const StoredVariable& stored = contents_.at(variable);
    std::visit(
        [&]<typename Cell>(const std::vector<Cell>& column) {
          std::string text;
          if constexpr (std::is_same_v<Cell, std::string>)
            for (const std::string& cell : column) text.append(cell).push_back('\0');
          const bool is_text = std::is_same_v<Cell, std::string>;
          const std::size_t bytes = is_text ? text.size() : column.size() * sizeof(Cell);
          add_header(Header::Kind::variable, place, stored.shape.size(), bytes);
          add(stored.shape.data(), stored.shape.size() * sizeof(hsize_t));
          add(is_text ? static_cast<const void*>(text.data()) : column.data(), bytes);
        },
        stored.column);
  }
  for (const std::string& name : contents_.unknown()) {
    add_header(Header::Kind::unknown, 0, 0, name.size());
    add(name.data(), name.size());
  }
  add_header(Header::Kind::end, 0, 0, 0);
  return all;
}

}  // namespace breakeven::fuzz
