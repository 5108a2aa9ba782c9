// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/command_line.h"

#include <sstream>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/core/text/renamed_options.h"

namespace breakeven {

namespace po = boost::program_options;

std::variant<std::monostate, UsageError, HelpText> read_command_line(
    int argc, char** argv, const po::options_description& options, const std::vector<Positional>& positionals,
    std::vector<std::string>* warnings) {
  po::options_description all;
  all.add(options);
  if (warnings != nullptr) all.add(old_names_of(options));
  po::positional_options_description positions;
  for (const auto& [name, place] : positionals) {
    const bool is_list = std::holds_alternative<std::vector<std::string>*>(place);
    std::visit([&](auto* value) { all.add_options()(name.c_str(), po::value(value)); }, place);
    positions.add(name.c_str(), is_list ? -1 : 1);
  }
  po::variables_map given;
  try {
    po::parsed_options parsed = po::command_line_parser(argc, argv).options(all).positional(positions).run();
    if (warnings != nullptr) rename_options(parsed, *warnings);
    po::store(parsed, given);
    po::notify(given);
  } catch (const po::error& error) {
    return UsageError{fmt::format("{} (--help lists the options)", error.what())};
  }
  if (given.count("help") == 0) return {};
  std::ostringstream text;
  text << options;
  return HelpText{text.str()};
}

}  // namespace breakeven
