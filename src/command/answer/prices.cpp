// SPDX-License-Identifier: Apache-2.0
#include "src/command/answer/prices.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"

namespace breakeven::command {
namespace {

using Machines = std::vector<hdf5::MachineResults>;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

std::string names_of(const Machines& machines) {
  std::vector<std::string> names;
  for (const hdf5::MachineResults& machine : machines) names.push_back(machine.name);
  return join_list(names);
}

// Whether the words stand in the name as whole words: "H100" in "NVIDIA H100 80GB", "H10" does not.
bool has_words(std::string_view name, std::string_view words) {
  const auto is_end = [&](std::size_t at) {
    return at >= name.size() || !std::isalnum(static_cast<unsigned char>(name[at]));
  };
  for (std::size_t at = name.find(words); at != name.npos; at = name.find(words, at + 1))
    if ((at == 0 || is_end(at - 1)) && is_end(at + words.size())) return true;
  return false;
}

// Their places. A whole name fits its machine alone, though it may be a part of another's.
std::vector<std::size_t> fitting(const std::string& name, const Machines& machines) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const std::string whole = lower(machines[i].name);
    if (whole == lower(name)) return {i};
    if (has_words(whole, lower(name))) places.push_back(i);
  }
  return places;
}

std::string read_prices(const std::string& text, Prices& prices) {
  const std::string wrong = fmt::format(
      "--price '{}' is neither a number that is not negative, such as 3.5, nor a positive price for each "
      "machine, such as H200=3.5,H100=2.2{}",
      text, number_hint(text));
  if (text.find('=') == std::string::npos) {
    const auto price = parse_number<double>(text);
    prices.of_all = price.value_or(-1);
    return prices.of_all >= 0 ? "" : wrong;
  }
  for (const std::string& word : split_list(text)) {
    const std::size_t end = word.rfind('=');
    if (end == std::string::npos || end == 0) return wrong;
    const auto price = parse_number<double>(word.substr(end + 1));
    if (!price || !(*price > 0)) return wrong;
    prices.of_machines.emplace_back(word.substr(0, end), *price);
  }
  return "";
}

}  // namespace

void add_price(CommandOptions& options, const std::string& use, Prices& prices) {
  options.add(
      "price", "0",
      "price of one GPU for an hour" + use + "; of several machines by their names, as in H200=3.5,H100=2.2",
      [&prices](const std::string& text) { return read_prices(text, prices); }, "X|NAME=X,...");
}

std::string price_machines(const Prices& prices, const Machines& machines, std::vector<double>& an_hour) {
  an_hour.assign(machines.size(), prices.of_all);
  for (const auto& [name, price] : prices.of_machines) {
    const std::vector<std::size_t> places = fitting(name, machines);
    if (places.empty())
      return fmt::format("--price names '{}', which no file was measured on. Name {}", name,
                         names_of(machines));
    if (places.size() > 1)
      return fmt::format("--price names '{}', which is a part of several names. Name one of {}", name,
                         names_of(machines));
    double& place = an_hour[places.front()];
    if (place > 0) return fmt::format("--price has two prices of {}", machines[places.front()].name);
    place = price;
  }
  if (prices.of_machines.empty()) return "";
  for (std::size_t i = 0; i < machines.size(); ++i)
    if (!(an_hour[i] > 0))
      return fmt::format("--price lacks a price of {}. Name each of {}", machines[i].name,
                         names_of(machines));
  return "";
}

}  // namespace breakeven::command
