// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/command_options.h"

#include <sstream>

#include <boost/program_options.hpp>

#include "src/core/text/command_line.h"
#include "src/core/text/text_file.h"

namespace breakeven {

namespace po = boost::program_options;

void CommandOptions::add_described(const char* name, const po::value_semantic* described,
                                   const char* meaning) {
  if (groups_.empty()) begin_group("Options");
  groups_.back().add_options()(name, described, meaning);
}

void CommandOptions::add_switch(const char* name, bool& value, const char* meaning) {
  add_described(name, po::bool_switch(&value), meaning);
}

void CommandOptions::add_repeatable(const char* name, std::vector<std::string>& values, const char* meaning,
                                    const char* value_name) {
  add_described(name, po::value(&values)->composing()->value_name(value_name), meaning);
}

void CommandOptions::add_config(const char* name, const char* meaning) {
  add_described(name, po::value<std::string>()->value_name("FILE"), meaning);
  config_option_ = name;
}

void CommandOptions::add(const char* name, const std::string& preset, const std::string& meaning,
                         ReadOption read, const char* value_name) {
  std::string& text = texts_.emplace_back();
  auto* value = po::value(&text)->value_name(value_name);
  if (!preset.empty()) value->default_value(preset);
  add_described(name, value, meaning.c_str());
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

po::options_description CommandOptions::visible() const {
  po::options_description all;
  for (const po::options_description& group : groups_) all.add(group);
  return all;
}

void CommandOptions::store_config(const po::options_description& all, po::variables_map& given,
                                  std::vector<std::string>* warnings) const {
  const std::string path = given[config_option_].as<std::string>();
  const auto text = read_text_file(path);
  if (const auto* error = std::get_if<UsageError>(&text))
    throw po::error(fmt::format("--{} '{}' {}", config_option_, path, error->sentence));
  std::istringstream lines(std::get<std::string>(text));
  po::parsed_options parsed = po::parse_config_file(lines, all);
  if (warnings != nullptr) rename_options(parsed, *warnings);
  po::store(parsed, given);
}

std::variant<std::monostate, UsageError, HelpText> CommandOptions::read(int argc, char** argv,
                                                                        std::vector<std::string>* warnings,
                                                                        const char* meaning_of_help) {
  if (groups_.empty()) begin_group("Options");
  groups_.back().add_options()("help,h", meaning_of_help);
  const po::options_description listed = visible();
  po::options_description all;
  all.add(listed);
  if (warnings != nullptr) all.add(old_names_of(listed));
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
    if (given.count("help") != 0) {
      std::ostringstream text;
      text << help_head(usage_) << listed;
      return HelpText{text.str()};
    }
    if (given.count(config_option_) != 0) store_config(all, given, warnings);
    po::notify(given);
  } catch (po::error& error) {
    return refuse_words(error, listed);
  }
  for (const auto& [name, value] : given) {
    if (!value.defaulted()) given_.insert(name);
  }
  for (const auto& problem : checks_) {
    if (const std::string sentence = problem(); !sentence.empty()) return UsageError{sentence};
  }
  return {};
}

}  // namespace breakeven
