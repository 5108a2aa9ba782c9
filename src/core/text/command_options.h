// SPDX-License-Identifier: Apache-2.0
// The options of a command, each declared once: its name, its default, its meaning and how its text is read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <boost/program_options/variables_map.hpp>

#include "src/core/text/lists.h"
#include "src/core/text/number_value.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/core/words_of.h"

namespace breakeven {

// Stores the value that a text spells. Returns what is wrong with the text, or "".
using ReadOption = std::function<std::string(const std::string& text)>;

class CommandOptions {
 public:
  // `usage` heads the help: "breakeven kernels [OPTION...]".
  explicit CommandOptions(std::string usage) : usage_(std::move(usage)) {}

  // The options that follow stand under this title in the help; without one, under "Options".
  void begin_group(const std::string& title) { groups_.emplace_back(title); }

  // A number or a text, as it is. The default is what `value` holds; an empty text is no default.
  template <typename T>
  void add(const char* name, T& value, const char* meaning, const char* value_name = nullptr) {
    auto* described = option_value(value, value_name);
    if constexpr (std::is_arithmetic_v<T>) {
      described->default_value(value, fmt::format("{}", value));
    } else if (!value.empty()) {
      described->default_value(value);
    }
    add_described(name, described, meaning);
  }
  // A number from `smallest` to `largest`. `why` follows the refusal of others.
  template <typename T>
  void add_within(const char* name, T& value, std::type_identity_t<T> smallest,
                  std::type_identity_t<T> largest, const char* meaning, const std::string& why = "") {
    add(name, value, meaning);
    check([=, &value] {
      return value >= smallest && value <= largest
                 ? std::string()
                 : fmt::format("--{} must be from {} to {}{}", name, smallest, largest, why);
    });
  }
  // A number that means nothing while it is not given. The help shows no default.
  template <typename T>
  void add_without_default(const char* name, T& value, const char* meaning,
                           const char* value_name = nullptr) {
    add_described(name, option_value(value, value_name), meaning);
  }
  void add_switch(const char* name, bool& value, const char* meaning);
  // A text to be read. `preset` is the default; an option without one is read only if it is given.
  void add(const char* name, const std::string& preset, const std::string& meaning, ReadOption read,
           const char* value_name = "NAME");
  // A text that may be given several times.
  void add_repeatable(const char* name, std::vector<std::string>& values, const char* meaning,
                      const char* value_name);
  void add_list(const char* name, const std::string& preset, const std::string& meaning, ReadOption read) {
    add(name, preset, meaning, std::move(read), "LIST");
  }

  // A file with more options, one "name = value" a line. The command line wins.
  void add_config(const char* name, const char* meaning);

  // A word without an option's name, or all remaining ones. They keep their order.
  void add_positional(const char* name, std::string& word) { positionals_.emplace_back(name, &word); }
  void add_positional(const char* name, std::vector<std::string>& words) {
    positionals_.emplace_back(name, &words);
  }
  std::vector<std::string> positionals() const;  // as they were given

  // Conditions on several values. They and the readers run in the order in which they were added.
  void check(std::function<std::string()> problem) { checks_.push_back(std::move(problem)); }

  // Whether the option was given, on the command line or in the --config file. Known once checks run.
  bool is_given(const std::string& name) const { return given_.contains(name); }

  // Reads the words into the variables of all options. Returns a bad option as a value, because nothing
  // collective exists yet. `warnings` takes a sentence for each option that was renamed.
  std::variant<std::monostate, UsageError, HelpText> read(int argc, char** argv,
                                                          std::vector<std::string>* warnings,
                                                          const char* meaning_of_help = "print this help");
  // The same, where the variables are parts of `result`.
  template <typename Result>
  std::variant<Result, UsageError, HelpText> read(int argc, char** argv, Result& result,
                                                  std::vector<std::string>* warnings = nullptr) {
    const auto answer = read(argc, argv, warnings);
    if (const auto* error = std::get_if<UsageError>(&answer)) return *error;
    if (const auto* help = std::get_if<HelpText>(&answer)) return *help;
    return result;
  }

 private:
  template <typename T>
  static boost::program_options::typed_value<T>* option_value(T& value, const char* value_name) {
    boost::program_options::typed_value<T>* described = nullptr;
    if constexpr (std::is_arithmetic_v<T>)
      described = number_value(&value);
    else
      described = boost::program_options::value(&value)->value_name("NAME");
    return value_name != nullptr ? described->value_name(value_name) : described;
  }

  void add_described(const char* name, const boost::program_options::value_semantic* described,
                     const char* meaning);
  boost::program_options::options_description visible() const;
  void store_config(const boost::program_options::options_description& all,
                    boost::program_options::variables_map& given, std::vector<std::string>* warnings) const;

  std::string usage_;
  std::deque<boost::program_options::options_description> groups_;
  std::string config_option_;  // "": none
  std::set<std::string> given_;
  std::vector<std::pair<std::string, std::variant<std::string*, std::vector<std::string>*>>> positionals_;
  std::deque<std::string> texts_;  // as they were typed
  std::vector<std::function<std::string()>> checks_;
};

// Reads a text with `parse`. A refusal says that it is not `legal`: "a size such as 12GB".
template <typename T>
ReadOption parsed_by(bool (*parse)(std::string_view text, T& value), const std::string& option,
                     const std::string& legal, T& value) {
  return [=, &value](const std::string& text) {
    return parse(text, value) ? std::string()
                              : fmt::format("--{} '{}' is not {}{}", option, text, legal, number_hint(text));
  };
}

template <typename T>
void add_once(const T& value, std::vector<T>& values) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

// Reads a comma list. `read_word` returns a word's value, or a UsageError. No value is stored twice.
template <typename T, typename ReadWord>
ReadOption list_of_values(std::vector<T>& values, ReadWord read_word) {
  return [&values, read_word](const std::string& text) -> std::string {
    for (const std::string& word : split_list(text)) {
      const auto value = read_word(word);
      if (const auto* error = std::get_if<UsageError>(&value)) return error->sentence;
      add_once(static_cast<T>(std::get<0>(value)), values);
    }
    return "";
  };
}

// Words and what they stand for.
template <typename T>
using LegalWords = std::vector<std::pair<std::string, T>>;

template <Worded Value>
LegalWords<Value> legal_words() {
  LegalWords<Value> legal;
  for (const std::string_view word : words_of<Value>) legal.emplace_back(word, *find_value<Value>(word));
  return legal;
}

template <typename T>
std::vector<std::string> spellings(const LegalWords<T>& legal, std::vector<std::string> words = {}) {
  for (const auto& [word, value] : legal) words.push_back(word);
  return words;
}

// Reads a comma list of these words. A refusal also names `others`, which the caller has read before.
template <typename T>
ReadOption list_of_words(const std::string& option, const LegalWords<T>& legal, std::vector<T>& values,
                         std::vector<std::string> others = {}) {
  return list_of_values(values, [=](const std::string& word) -> std::variant<T, UsageError> {
    for (const auto& [known, value] : legal) {
      if (known == word) return value;
    }
    return UsageError{problem_of_word(option, word, spellings(legal, others))};
  });
}

// The same. The word "all" stands for every legal word.
template <typename T>
ReadOption all_or_list_of_words(const std::string& option, const LegalWords<T>& legal,
                                std::vector<T>& values) {
  return [option, legal, &values](const std::string& text) -> std::string {
    for (const std::string& word : split_list(text)) {
      if (word != "all") {
        const std::string wrong = list_of_words(option, legal, values, {"all"})(word);
        if (!wrong.empty()) return wrong;
      } else {
        for (const auto& [known, value] : legal) add_once(value, values);
      }
    }
    return "";
  };
}

// For list_of_values(): whole numbers from 1 to `largest`.
inline auto count_up_to(std::string option, std::uint32_t largest) {
  return [largest, option](const std::string& word) -> std::variant<std::uint32_t, UsageError> {
    if (const auto count = parse_count(word, largest)) return *count;
    return UsageError{fmt::format("--{} '{}' is not a whole number from 1 to {}", option, word, largest)};
  };
}

}  // namespace breakeven
