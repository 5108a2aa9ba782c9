// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/command_options.h"

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

std::variant<std::monostate, UsageError, HelpText> CommandOptions::read(int argc, char** argv,
                                                                        std::vector<std::string>* warnings) {
  described_.add_options()("help,h", "print this help");
  const auto read = read_command_line(argc, argv, described_, {}, warnings);
  if (!std::holds_alternative<std::monostate>(read)) return read;
  for (const auto& problem : checks_) {
    if (const std::string sentence = problem(); !sentence.empty()) return UsageError{sentence};
  }
  return {};
}

}  // namespace breakeven
