// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/file_faults.h"

#include <hdf5_hl.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/text/lists.h"
#include "src/hdf5/cells.h"
#include "src/hdf5/iso_time.h"
#include "src/hdf5/label_faults.h"
#include "src/hdf5/read_results.h"

namespace breakeven::hdf5 {
namespace {

template <typename Call>
decltype(auto) with_cell(const Variable& variable, Call call) {
  return std::visit([&]<typename Source>(
                        const Source&) { return call.template operator()<typename CellOf<Source>::type>(); },
                    variable.source);
}

// "float64 of (run, rank) in s: time of a step"
std::string should_be(const Variable& variable) {
  std::vector<std::string_view> names;
  for (const Dimension dimension : variable.dimensions)
    names.push_back(dimension_names[static_cast<std::size_t>(dimension)]);
  const std::string_view type = with_cell(variable, []<typename Cell>() { return name_of_type<Cell>(); });
  const bool has_units = !variable.units.empty() && variable.units != "1";
  return fmt::format("{} of ({}){}{}: {}", type, fmt::join(names, ", "), has_units ? " in " : "",
                     has_units ? variable.units : "", variable.long_name);
}

std::vector<hsize_t> shape_of(hid_t dataset) {
  const H5Space space(H5_CALL(H5Dget_space(dataset), "measuring a variable"));
  const int rank = H5_CALL(H5Sget_simple_extent_ndims(space.get()), "measuring a variable");
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  H5_CALL(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr), "measuring a variable");
  return shape;
}

// `variable` has the right rank. Each axis must belong to its dimension's coordinate, and be as long.
std::string fault_of_axes(hid_t file, hid_t dataset, const Variable& variable) {
  if (variable.is_coordinate())
    return H5DSis_scale(dataset) > 0 ? "" : "is not a dimension scale (H5DSset_scale; h5py: make_scale)";
  const std::vector<hsize_t> shape = shape_of(dataset);
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    const Variable& coordinate =
        variable_named(dimension_names[static_cast<std::size_t>(variable.dimensions[axis])]);
    if (kind_of(file, coordinate) != KindOfEntry::object) continue;  // reported for the coordinate
    const H5Dataset scale = open_variable(file, coordinate);
    const std::vector<hsize_t> places = shape_of(scale.get());
    if (places.size() == 1 && places[0] != shape[axis])
      return fmt::format("has {} places along axis {}, where the coordinate {} has {}", shape[axis], axis,
                         coordinate.name, places[0]);
    if (H5DSis_scale(scale.get()) > 0 && H5DSis_attached(dataset, scale.get(), axis) == 0)
      return fmt::format("has no dimension scale {} attached to axis {} (H5DSattach_scale)", coordinate.name,
                         axis);
  }
  return "";
}

// The part of the sentence behind the variable's name; "" where the variable is as the table says.
std::string fault_of(hid_t file, const Variable& variable) {
  const KindOfEntry kind = kind_of(file, variable);
  if (kind == KindOfEntry::none) return variable.is_addition ? "" : "is missing";
  if (kind == KindOfEntry::link) return "is a link, not a variable";
  const H5Dataset dataset = open_variable(file, variable);
  if (is_stored_elsewhere(dataset.get())) return "has its cells in another file";
  if (!with_cell(variable, [&]<typename Cell>() { return has_type<Cell>(dataset.get()); }))
    return "has another type";
  if (const std::size_t rank = shape_of(dataset.get()).size(); rank != variable.dimensions.size())
    return fmt::format("has {} dimensions", rank);
  return fault_of_axes(file, dataset.get(), variable);
}

std::string tried_fault_of(hid_t file, const Variable& variable) {
  try {
    return fault_of(file, variable);
  } catch (const H5Failure& failure) {
    return fmt::format("cannot be read as a variable: {}", failure.cause());
  }
}

bool tracks_creation_order(hid_t file) {
  const Handle<hid_t, H5Gclose, H5I_INVALID_HID> root(
      H5_CALL(H5Gopen2(file, "/", H5P_DEFAULT), "opening it"));
  const H5Properties properties(H5_CALL(H5Gget_create_plist(root.get()), "reading how it was made"));
  unsigned flags = 0;
  H5_CALL(H5Pget_link_creation_order(properties.get(), &flags), "reading how it was made");
  return (flags & H5P_CRT_ORDER_TRACKED) != 0;
}

// `wrong` returns the case's value if that is not legal.
struct RunRule {
  std::string_view variable;
  std::function<std::optional<std::string>(const Case&)> wrong;
  std::string legal;
};

constexpr std::string_view a_word = "a word of your own that is not empty";

template <Worded Value>
RunRule one_of_words(std::string_view variable, Level<Value> Case::*level) {
  return {variable,
          [level](const Case& what) {
            return (what.*level).known() ? std::nullopt : std::optional(std::string((what.*level).word()));
          },
          "one of " + join_list(all_words<Value>())};
}

RunRule not_empty(std::string_view variable, std::function<std::string_view(const Case&)> word) {
  return {variable,
          [word = std::move(word)](const Case& what) {
            return word(what).empty() ? std::optional(std::string()) : std::nullopt;
          },
          std::string(a_word)};
}

const std::vector<RunRule>& run_rules() {
  static const std::vector<RunRule> rules{
      not_empty("model", [](const Case& what) { return std::string_view(what.model.word()); }),
      {"batch",
       [](const Case& what) {
         const bool is_legal = what.batch >= 1 && what.batch <= largest_recorded_batch;
         return is_legal ? std::nullopt : std::optional(std::to_string(what.batch));
       },
       fmt::format("a whole number of samples from 1 to {}", largest_recorded_batch)},
      not_empty("strategy", [](const Case& what) { return std::string_view(what.strategy.word()); }),
      not_empty("precision", [](const Case& what) { return what.precision.word(); }),
      one_of_words("scaling", &Case::scaling),
      one_of_words("instrument", &Case::timing)};
  return rules;
}

// Also what it is instead.
std::string fault_of_conventions(hid_t file) {
  const std::string found = read_text_attribute(file, "Conventions");
  if (found == format_name) return "";
  const std::string of_any_length = read_attribute_of_any_length(file, "Conventions");
  return fmt::format("the attribute Conventions is '{}'{}; it should be the text '{}', of fixed length{}",
                     of_any_length.empty() ? found : of_any_length,
                     of_any_length.empty() ? "" : ", text of variable length", format_name,
                     of_any_length.empty() ? "" : " (h5py: np.bytes_)");
}

void add_run_faults(const Results& results, std::vector<std::string>& sentences) {
  for (const RunRule& rule : run_rules()) {
    WrongCells wrong{.variable = rule.variable, .place = "run", .value = ""};
    for (std::size_t run = 0; run < results.runs.size(); ++run)
      if (const auto value = rule.wrong(results.runs[run].planned.what)) wrong.add(run, *value);
    if (wrong.count > 0) sentences.push_back(in_words(wrong, rule.legal));
  }
}

void add_launch_faults(const Results& results, std::vector<std::string>& sentences) {
  WrongCells started{.variable = "started", .place = "launch", .value = ""};
  WrongCells backends{.variable = "backend", .place = "launch", .value = ""};
  for (std::size_t launch = 0; launch < results.launches.size(); ++launch) {
    const Launch& one = results.launches[launch];
    if (!is_iso_time(one.started)) started.add(launch, one.started);
    const auto wrong = std::ranges::find_if(
        one.topology.ranks, [](const RankInfo& rank) { return !find_value<Backend>(rank.device.backend); });
    if (wrong != one.topology.ranks.end()) backends.add(launch, wrong->device.backend);
  }
  if (started.count > 0)
    sentences.push_back(in_words(started, "a time of ISO 8601, such as 2026-01-02T03:04:05Z"));
  if (backends.count > 0)
    sentences.push_back(in_words(backends, "one of " + join_list(all_words<Backend>())));
}

}  // namespace

std::vector<std::string> schema_faults_in(hid_t file) {
  std::vector<std::string> faults;
  if (std::string fault = fault_of_conventions(file); !fault.empty()) faults.push_back(std::move(fault));
  if (!tracks_creation_order(file))
    faults.emplace_back(
        "the order of the variables is not recorded; it should be, since checksums follow it (h5py: "
        "track_order=True)");
  for (const Variable& variable : variables()) {
    const std::string fault = tried_fault_of(file, variable);
    if (!fault.empty())
      faults.push_back(fmt::format("{} {}; it should be {}", variable.name, fault, should_be(variable)));
  }
  return faults;
}

std::vector<std::string> value_faults_in(const Results& results) {
  std::vector<std::string> sentences;
  add_run_faults(results, sentences);
  add_launch_faults(results, sentences);
  return sentences;
}

}  // namespace breakeven::hdf5
