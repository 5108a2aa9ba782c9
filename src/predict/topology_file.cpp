// SPDX-License-Identifier: Apache-2.0
#include "src/predict/topology_file.h"

#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/core/text/command_line.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/text_file.h"

namespace breakeven::predict {
namespace {

namespace po = boost::program_options;

constexpr std::uint32_t most_units = 1u << 20;

std::optional<LinkLevel> parse_level(const std::string& text) {
  const std::vector<std::string> words = split_list(text);
  if (words.size() < 3 || words[0].empty()) return std::nullopt;
  const auto joins = parse_count(words[1], most_units);
  if (!joins) return std::nullopt;
  LinkLevel level{.name = words[0], .joins = static_cast<int>(*joins)};
  if (words.size() == 3) return words[2] == "measured" ? std::optional(level) : std::nullopt;
  const auto latency = parse_duration(words[2]);
  const auto bandwidth = parse_bandwidth(words[3]);
  if (words.size() != 4 || !latency || !bandwidth) return std::nullopt;
  level.is_measured = false;
  level.latency_seconds = *latency;
  level.bytes_per_second = *bandwidth;
  return level;
}

}  // namespace

std::variant<Machine, UsageError> parse_topology(const std::string& text, const std::string& path) {
  Machine machine{.name = path, .levels = {}};
  std::vector<std::string> levels;
  po::options_description keys;
  keys.add_options()("name", po::value(&machine.name))("level", po::value(&levels));
  std::istringstream stream(text);
  try {
    po::variables_map given;
    po::store(po::parse_config_file(stream, keys), given);
    po::notify(given);
  } catch (po::error& error) {
    return UsageError{
        fmt::format("--topology '{}': {}; a topology's keys are name and level", path, sentence_of(error))};
  }
  for (const std::string& line : levels) {
    const auto level = parse_level(line);
    if (!level)
      return UsageError{
          fmt::format("--topology '{}': 'level = {}' is not NAME, JOINS, LATENCY, BANDWIDTH, such as "
                      "'infiniband, 32, 2us, 50GB/s', nor NAME, JOINS, measured",
                      path, line)};
    machine.levels.push_back(*level);
  }
  if (machine.levels.empty())
    return UsageError{
        fmt::format("--topology '{}' has no line 'level = NAME, JOINS, LATENCY, BANDWIDTH'", path)};
  return machine;
}

std::variant<Machine, UsageError> read_topology(const std::string& path) {
  const auto text = read_text_file(path);
  if (const auto* error = std::get_if<UsageError>(&text))
    return UsageError{fmt::format("--topology '{}' {}", path, error->sentence)};
  return parse_topology(std::get<std::string>(text), path);
}

}  // namespace breakeven::predict
