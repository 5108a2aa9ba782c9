// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/send_contents.h"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "src/core/failure.h"
#include "src/hdf5/contents.h"
#include "src/hdf5/file_faults.h"

namespace breakeven::hdf5 {
namespace {

constexpr std::size_t bytes_of_text =
    64;  // that a cell of text takes here and in the parent, without its letters

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ExitCode::file, sentence); }

void send_text(const Sender& sender, Header::Kind kind, const std::string& text) {
  const Header header{kind, 0, 0, text.size()};
  sender.send(&header, sizeof header);
  sender.send(text.data(), text.size());
}

void check_format(hid_t file) {
  const std::string found = read_text_attribute(file, "Conventions");
  if (found == format_name) return;
  if (found.starts_with("breakeven-results-"))
    refuse(fmt::format("has the format {}; this program knows {}", found, format_name));
  refuse("is an HDF5 file, but not a results file of breakeven");
}

bool holds(hid_t file, const Variable& variable) {
  const KindOfEntry kind = kind_of(file, variable);
  if (kind == KindOfEntry::link)
    refuse(fmt::format("is no results file: {} is a link, not a variable", variable.name));
  return kind == KindOfEntry::object;
}

void check_storage(hid_t dataset, const Variable& variable) {
  if (is_stored_elsewhere(dataset))
    refuse(fmt::format("is no results file: the cells of {} are in another file", variable.name));
}

template <typename Cell>
void check_type(hid_t dataset, const Variable& variable) {
  if (!has_type<Cell>(dataset))
    refuse(fmt::format("is damaged: the variable {} has another type", variable.name));
}

// Throws where HDF5 would need more than so many bytes for the cells.
std::vector<hsize_t> checked_shape(hid_t dataset, const Variable& variable, std::size_t cell_bytes,
                                   std::uint64_t most_bytes) {
  const H5Space space(H5_CALL(H5Dget_space(dataset), "measuring a variable"));
  const std::size_t rank = variable.dimensions.size();
  if (H5Sget_simple_extent_ndims(space.get()) != static_cast<int>(rank))
    refuse(fmt::format("is damaged: the variable {} does not have {} dimensions", variable.name, rank));
  std::vector<hsize_t> shape(rank);
  H5_CALL(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr), "measuring a variable");
  std::uint64_t cells = most_bytes / cell_bytes;
  for (const hsize_t extent : shape) {
    if (extent > cells)
      refuse(fmt::format("is damaged: the variable {} claims to be larger than the file", variable.name));
    if (extent > 0) cells /= extent;
  }
  return shape;
}

template <typename Cell>
void send_column(const Sender& sender, hid_t dataset, Header header, const std::vector<hsize_t>& shape) {
  const std::size_t cells = Block{{}, shape}.cells();
  using Read = std::conditional_t<std::is_same_v<Cell, std::string>, char*, Cell>;
  std::vector<Read> column(cells);
  const H5Type type = memory_type<Cell>();
  H5_CALL(H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, column.data()), "reading its cells");
  std::string text;
  if constexpr (std::is_same_v<Cell, std::string>)
    for (char*& cell : column) {
      text.append(cell ? cell : "").push_back('\0');
      H5free_memory(std::exchange(cell, nullptr));
    }
  const bool is_text = std::is_same_v<Cell, std::string>;
  header.rank = static_cast<std::uint32_t>(shape.size());
  header.bytes = is_text ? text.size() : cells * sizeof(Read);
  sender.send(&header, sizeof header);
  sender.send(shape.data(), shape.size() * sizeof shape[0]);
  sender.send(is_text ? static_cast<const void*>(text.data()) : column.data(), header.bytes);
}

void send_variable(const Sender& sender, hid_t file, std::uint32_t place, std::uint64_t most_bytes) {
  const Variable& variable = readable_variables()[place];
  const Header begins{Header::Kind::begins, place, 0, 0};
  sender.send(&begins, sizeof begins);
  if (!holds(file, variable)) return;
  const H5Dataset dataset = open_variable(file, variable);
  check_storage(dataset.get(), variable);
  std::visit(
      [&]<typename Source>(const Source&) {
        using Cell = typename CellOf<Source>::type;
        check_type<Cell>(dataset.get(), variable);
        const std::size_t cell_bytes = std::is_same_v<Cell, std::string> ? bytes_of_text : sizeof(Cell);
        const auto shape = checked_shape(dataset.get(), variable, cell_bytes, most_bytes);
        send_column<Cell>(sender, dataset.get(), {Header::Kind::variable, place, 0, 0}, shape);
      },
      variable.source);
}

herr_t send_if_unknown(hid_t, const char* name, const H5L_info_t*, void* sender) {
  if (std::ranges::find(readable_variables(), name, &Variable::name) == readable_variables().end())
    send_text(*static_cast<const Sender*>(sender), Header::Kind::unknown, name);
  return 0;
}

H5File open_file(const std::string& place) {
  silence_h5();
  H5PLset_loading_state(0);  // a file names filters, and HDF5 would load them as libraries
  if (!H5_CALL(H5Fis_hdf5(place.c_str()), "opening it")) refuse("is not an HDF5 file");
  return H5File(H5_CALL(H5Fopen(place.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "opening it"));
}

void send_all(const std::string& place, std::uint64_t most_bytes, const Sender& sender) {
  const H5File file = open_file(place);
  check_format(file.get());
  for (std::uint32_t variable = 0; variable < readable_variables().size(); ++variable)
    send_variable(sender, file.get(), variable, most_bytes);
  Sender names = sender;
  H5_CALL(H5Literate(file.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, send_if_unknown, &names),
          "listing it");
}

// Sends the end, or why there is none.
void send_until_end(const Sender& sender, const std::function<void()>& send) {
  try {
    send();
    const Header end{Header::Kind::end, 0, 0, 0};
    sender.send(&end, sizeof end);
  } catch (const H5Failure& failure) {
    send_text(sender, Header::Kind::failure,
              fmt::format("is damaged or cannot be read: {} ({})", failure.cause(), failure.doing()));
  } catch (const std::bad_alloc&) {
    send_text(sender, Header::Kind::failure,
              "is damaged, or too little memory is left: reading it needs far more than it has bytes");
  } catch (const std::exception& failure) {
    send_text(sender, Header::Kind::failure, failure.what());
  }
}

}  // namespace

const std::vector<Variable>& readable_variables() {
  static const std::vector<Variable> all = [] {
    std::vector<Variable> list;
    for (const char* name : {"label_checksum", "status", "stop", "label_checksum_next"})
      list.push_back(variable_named(name));
    for (const Variable& variable : variables())
      if (std::ranges::find(list, variable.name, &Variable::name) == list.end()) list.push_back(variable);
    for (const Variable& variable : old_rate_variables()) list.push_back(variable);
    return list;
  }();
  return all;
}

void send_contents(const std::string& place, std::uint64_t most_bytes, const Sender& sender) {
  send_until_end(sender, [&] { send_all(place, most_bytes, sender); });
}

void send_schema_faults(const std::string& place, const Sender& sender) {
  send_until_end(sender, [&] {
    const H5File file = open_file(place);
    for (const std::string& fault : schema_faults_in(file.get()))
      send_text(sender, Header::Kind::fault, fault);
  });
}

}  // namespace breakeven::hdf5
