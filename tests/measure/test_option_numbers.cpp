// SPDX-License-Identifier: Apache-2.0
// Every option of every measuring command, as --help lists it, refuses what is no number of its kind.
// tests/cli/test_option_numbers.py does the same for the answering commands.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>

#include "src/bench/collectives/collective_options.h"
#include "src/bench/kernels/kernel_options.h"
#include "src/bench/matmul/matmul_options.h"
#include "src/measure/plan/options.h"

namespace breakeven {
namespace {

struct Answer {
  std::string refusal, help;
};

template <typename Options>
Answer answer_of(const std::variant<Options, UsageError, HelpText>& parsed) {
  if (const auto* error = std::get_if<UsageError>(&parsed)) return {error->sentence, ""};
  if (const auto* help = std::get_if<HelpText>(&parsed)) return {"", help->text};
  return {};
}

using Parse = std::function<Answer(int, char**)>;

const std::map<std::string, Parse>& commands() {
  static const std::map<std::string, Parse> all{
      {"run",
       [](int c, char** v) { return answer_of(measure::parse_run_options(c, v, measure::run_defaults())); }},
      {"verify",
       [](int c, char** v) {
         return answer_of(measure::parse_run_options(c, v, measure::verify_defaults()));
       }},
      {"kernels", [](int c, char** v) { return answer_of(bench::parse_kernel_options(c, v)); }},
      {"matmul", [](int c, char** v) { return answer_of(bench::parse_matmul_options(c, v, 4)); }},
      {"collectives", [](int c, char** v) { return answer_of(bench::parse_collective_options(c, v, 4)); }}};
  return all;
}

Answer answer(const Parse& parse, std::vector<std::string> words) {
  words.insert(words.begin(), "command");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return parse(static_cast<int>(argv.size()), argv.data());
}

struct Option {
  std::string name, value;
};

// Those that take a value: "--warmup N (=10)".
std::vector<Option> options_of(const Parse& parse) {
  const std::string help = answer(parse, {"--help"}).help;
  static const std::regex line(R"(\n  --([a-z-]+) ([^ ]+))");
  std::vector<Option> options;
  for (auto at = std::sregex_iterator(help.begin(), help.end(), line); at != std::sregex_iterator(); ++at)
    options.push_back({(*at)[1], (*at)[2]});
  return options;
}

std::vector<std::string> wrong_values(const Option& option) {
  if (option.value == "N")
    return {"-1", "1.5", "18446744073709551616", "-18446744073709551615", "nan", "inf", "", "+1", "0x1",
            " 1", "1e3"};
  if (option.value == "X") return {"-1", "nan", "inf", "-inf", "1e999", "", "1,5"};
  return {};
}

TEST(OptionNumbers, NoOptionTakesAnotherKindOfNumber) {
  std::size_t tried = 0;
  for (const auto& [command, parse] : commands()) {
    for (const Option& option : options_of(parse)) {
      for (const std::string& wrong : wrong_values(option)) {
        const std::string refusal = answer(parse, {"--" + option.name + "=" + wrong}).refusal;
        EXPECT_NE(refusal.find(option.name), std::string::npos)
            << command << " --" << option.name << "=" << wrong << ": '" << refusal << "'";
        ++tried;
      }
    }
  }
  EXPECT_GE(tried, 150u);
}

// An option whose value is neither a number nor a text of the user's choice refuses "-1" too.
TEST(OptionNumbers, WordsListsAndSizesAreNoNegativeNumbers) {
  // Their words are checked against the devices, when the cases are planned (tests/measure/test_plan.cpp).
  const auto is_checked_later = [](const std::string& command, const Option& option) {
    return (command == "run" || command == "verify") &&
           (option.value == "LIST" || option.value == "MODEL:LIST");
  };
  for (const auto& [command, parse] : commands()) {
    for (const Option& option : options_of(parse)) {
      if (option.value == "FILE" || option.name == "output" || option.name == "dataset" ||
          is_checked_later(command, option))
        continue;
      const std::string refusal = answer(parse, {"--" + option.name + "=-1"}).refusal;
      EXPECT_NE(refusal, "") << command << " --" << option.name << "=-1";
    }
  }
}

TEST(OptionNumbers, ASuiteFileRefusesThemToo) {
  const std::string path = testing::TempDir() + "breakeven_option_numbers.ini";
  const Parse& run = commands().at("run");
  for (const Option& option : options_of(run)) {
    for (const std::string& wrong : wrong_values(option)) {
      if (wrong.starts_with(' ')) continue;  // values of a suite lose their blanks
      std::ofstream(path) << option.name << " = " << wrong << "\n";
      EXPECT_NE(answer(run, {"--config", path}).refusal, "") << option.name << " = " << wrong;
    }
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace breakeven
