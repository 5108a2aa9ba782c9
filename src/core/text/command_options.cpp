// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/command_options.h"

#include <sstream>

#include <boost/program_options.hpp>

#include "src/core/text/command_line.h"

namespace breakeven {

namespace po = boost::program_options;

void CommandOptions::add_switch(const char* name, bool& value, const char* meaning) {
  described_.add_options()(name, po::bool_switch(&value), meaning);
}

void CommandOptions::add(const char* name, const std::string& preset, const std::string& meaning,
                         ReadOption read, const char* value_name) {
  std::string& text = texts_.emplace_back();
  auto* value = po::value(&text)->value_name(value_name);
  if (!preset.empty()) value->default_value(preset);
  described_.add_options()(name, value, meaning.c_str());
  check([&text, may_lack = preset.empty(), read = std::move(read)] {
    return may_lack && text.empty() ? std::string() : read(text);
  });
}

std::vector<std::string> CommandOptions::positionals() const {
  std::vector<std::string> words;
  for (const auto& [name, place] : positionals_) {
    if (const auto* const* word = std::get_if<std::string*>(&place); word != nullptr && !(**word).empty())
      words.push_back(**word);
    if (const auto* const* list = std::get_if<std::vector<std::string>*>(&place))
      words.insert(words.end(), (**list).begin(), (**list).end());
  }
  return words;
}

std::variant<std::monostate, UsageError, HelpText> CommandOptions::read(int argc, char** argv,
                                                                        std::vector<std::string>* warnings,
                                                                        const char* meaning_of_help) {
  described_.add_options()("help,h", meaning_of_help);
  po::options_description all;
  all.add(described_);
  if (warnings != nullptr) all.add(old_names_of(described_));
  po::positional_options_description positions;
  for (const auto& [name, place] : positionals_) {
    const bool is_list = std::holds_alternative<std::vector<std::string>*>(place);
    std::visit([&, &name = name](auto* value) { all.add_options()(name.c_str(), po::value(value)); }, place);
    positions.add(name.c_str(), is_list ? -1 : 1);
  }
  po::variables_map given;
  try {
    po::parsed_options parsed = po::command_line_parser(argc, argv).options(all).positional(positions).run();
    if (warnings != nullptr) rename_options(parsed, *warnings);
    po::store(parsed, given);
    po::notify(given);
  } catch (po::error& error) {
    return refuse_words(error, described_);
  }
  if (given.count("help") != 0) {
    std::ostringstream text;
    text << help_head(usage_) << '\n' << described_;
    return HelpText{text.str()};
  }
  for (const auto& problem : checks_) {
    if (const std::string sentence = problem(); !sentence.empty()) return UsageError{sentence};
  }
  return {};
}

}  // namespace breakeven
