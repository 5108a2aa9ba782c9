// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/command_line.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/program_options.hpp>

#include "src/core/text/lists.h"
#include "src/core/text/similar.h"

namespace breakeven {

namespace po = boost::program_options;

namespace {

struct Renamed {
  std::string_view before;
  std::string_view now;
};
constexpr std::array options{
    Renamed{"instrument", "timing"},     Renamed{"collectives", "transports"},
    Renamed{"collective", "transport"},  Renamed{"until-precise", "target-ci"},
    Renamed{"look-every", "eval-every"},
};

struct RenamedWord {
  std::string_view option;  // by its new name
  std::string_view before;
  std::string_view now;
};
constexpr std::array words{
    RenamedWord{"timing", "total", "steps"},          RenamedWord{"sections", "doubts", "warnings"},
    RenamedWord{"sections", "machinery", "overhead"}, RenamedWord{"sections", "choices", "autotuning"},
    RenamedWord{"sections", "limits", "roofline"},    RenamedWord{"sections", "first-use", "start-up"},
    RenamedWord{"sections", "merits", "fom"},         RenamedWord{"sections", "not-done", "missing"},
};

std::string with_new_words(std::string_view option, const std::string& list) {
  std::vector<std::string> parts = split_list(list);
  for (std::string& part : parts) {
    for (const RenamedWord& word : words) {
      if (word.option == option && word.before == part) part = word.now;
    }
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

// Boost lets only its own errors read them.
struct WordsOfError : po::error_with_option_name {
  static std::map<std::string, std::string>& in(po::error_with_option_name& error) {
    return error.*&WordsOfError::m_substitutions;
  }
};

}  // namespace

// Boost looks for its own placeholders, such as %original_token%, in the user's words too, and would put
// these words into themselves for ever.
std::string sentence_of(po::error& error) {
  constexpr char stand_in = '\x1a';
  if (auto* named = dynamic_cast<po::error_with_option_name*>(&error))
    for (auto& [placeholder, word] : WordsOfError::in(*named)) std::ranges::replace(word, '%', stand_in);
  std::string sentence = error.what();
  std::ranges::replace(sentence, stand_in, '%');
  return sentence;
}

UsageError refuse_words(po::error& error, const po::options_description& options) {
  std::string meant;
  if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&error)) {
    std::vector<std::string> names;
    for (const auto& option : options.options())
      names.push_back(option->canonical_display_name(po::command_line_style::allow_long));
    meant = did_you_mean(unknown->get_option_name(), names);
  }
  return UsageError{fmt::format("{}{} (--help lists the options)", sentence_of(error), meant)};
}

std::string new_name_of(const std::string& option) {
  const auto renamed = std::ranges::find(options, option, &Renamed::before);
  return renamed == options.end() ? option : std::string(renamed->now);
}

po::options_description old_names_of(const po::options_description& visible) {
  po::options_description old_names;
  for (const Renamed& renamed : options) {
    if (visible.find_nothrow(std::string(renamed.now), false) != nullptr)
      old_names.add_options()(std::string(renamed.before).c_str(), po::value<std::string>());
  }
  return old_names;
}

void rename_options(po::parsed_options& parsed, std::vector<std::string>& warnings) {
  for (po::option& option : parsed.options) {
    const po::option given = option;
    option.string_key = new_name_of(option.string_key);
    if (std::ranges::find(words, option.string_key, &RenamedWord::option) != words.end()) {
      for (std::string& value : option.value) value = with_new_words(option.string_key, value);
    }
    if (option.string_key != given.string_key || option.value != given.value)
      warnings.push_back(fmt::format("--{} {} is deprecated: pass --{} {}", given.string_key,
                                     fmt::join(given.value, " "), option.string_key,
                                     fmt::join(option.value, " ")));
  }
}

}  // namespace breakeven
