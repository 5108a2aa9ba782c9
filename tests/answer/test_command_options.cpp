// SPDX-License-Identifier: Apache-2.0
// Options of commands: defaults, lists, legal words, conditions on several values, help and renamed options.
#include "src/core/text/command_options.h"

#include <gtest/gtest.h>

#include "src/core/precision.h"

namespace breakeven {
namespace {

struct Typed {
  std::vector<int> sizes;
  std::vector<Precision> precisions;
  std::string file;
  double seconds = 60;
  std::string transport = "auto";
  std::vector<std::string> warnings;
};

std::variant<Typed, UsageError, HelpText> parse(std::vector<std::string> words) {
  words.insert(words.begin(), "command");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  Typed typed;
  CommandOptions options("breakeven command [OPTION...]");
  options.add_list("sizes", "8,4", "sizes to measure",
                   list_of_values(typed.sizes, count_up_to("sizes", 100)));
  options.add_list("precisions", "all", "precisions to measure",
                   all_or_list_of_words("precisions", legal_words<Precision>(), typed.precisions));
  options.add("file", typed.file, "a file", "FILE");
  options.add("timeout", typed.seconds, "time limit");
  options.add("transport", typed.transport, "how data travel");
  options.check([&typed] { return std::string(typed.seconds > 0 ? "" : "--timeout must be positive"); });
  return options.read(static_cast<int>(argv.size()), argv.data(), typed, &typed.warnings);
}

Typed parsed(const std::vector<std::string>& words) {
  const auto answer = parse(words);
  if (const auto* error = std::get_if<UsageError>(&answer)) ADD_FAILURE() << error->sentence;
  return std::holds_alternative<Typed>(answer) ? std::get<Typed>(answer) : Typed{};
}

std::string refusal(const std::vector<std::string>& words) {
  const auto answer = parse(words);
  const auto* error = std::get_if<UsageError>(&answer);
  return error != nullptr ? error->sentence : "";
}

TEST(CommandOptions, HaveDefaults) {
  const Typed typed = parsed({});
  EXPECT_EQ(typed.sizes, (std::vector{8, 4}));
  EXPECT_EQ(typed.precisions.size(), words_of<Precision>.size());
  EXPECT_EQ(typed.file, "");
  EXPECT_EQ(typed.seconds, 60);
}

TEST(CommandOptions, ReadListsAndStoreNoValueTwice) {
  const Typed typed = parsed({"--sizes", "7, 3,7", "--precisions", "bf16,fp32,bf16", "--file", "a.txt"});
  EXPECT_EQ(typed.sizes, (std::vector{7, 3}));
  EXPECT_EQ(typed.precisions, (std::vector{Precision::bf16, Precision::fp32}));
  EXPECT_EQ(typed.file, "a.txt");
  EXPECT_EQ(parsed({"--precisions", "bf16,all"}).precisions.front(), Precision::bf16);
  EXPECT_EQ(parsed({"--precisions", "bf16,all"}).precisions.size(), words_of<Precision>.size());
}

TEST(CommandOptions, RefuseWrongWordsAndNameTheLegalOnes) {
  EXPECT_EQ(refusal({"--sizes", "8,0"}), "--sizes '0' is not a whole number from 1 to 100");
  EXPECT_EQ(refusal({"--sizes", ""}), "--sizes '' is not a whole number from 1 to 100");
  EXPECT_EQ(refusal({"--precisions", "fp8"}).find("--precisions 'fp8' is not one of all, fp32"), 0u);
  EXPECT_NE(refusal({"--precisions", "all,fp8"}), "");
  EXPECT_NE(refusal({"--nonsense"}).find("nonsense"), std::string::npos);
}

// Boost would put the word into itself for ever, or something else in its place.
TEST(CommandOptions, AreNoTemplates) {
  EXPECT_NE(refusal({"--a%original_token%b"}).find("--a%original_token%b"), std::string::npos);
  EXPECT_NE(refusal({"--timeout", "%value%"}).find("--timeout '%value%' is not"), std::string::npos);
}

TEST(CommandOptions, CheckConditions) {
  EXPECT_EQ(refusal({"--timeout", "0"}), "--timeout must be positive");
  EXPECT_NE(refusal({"--timeout", "nan"}).find("--timeout 'nan' is not a finite number"), std::string::npos);
}

TEST(CommandOptions, AnswerHelpBeforeTheyCheckValues) {
  const auto answer = parse({"--help", "--sizes", "0"});
  const auto* help = std::get_if<HelpText>(&answer);
  ASSERT_NE(help, nullptr);
  for (const char* words :
       {"breakeven command [OPTION...]", "--sizes LIST (=8,4)", "--file FILE", "--timeout X (=60)"})
    EXPECT_NE(help->text.find(words), std::string::npos) << words << " in\n" << help->text;
}

TEST(CommandOptions, TakeOldNamesWithAWarning) {
  const Typed typed = parsed({"--collective", "mpi"});
  EXPECT_EQ(typed.transport, "mpi");
  ASSERT_EQ(typed.warnings.size(), 1u);
  EXPECT_NE(typed.warnings[0].find("pass --transport mpi"), std::string::npos) << typed.warnings[0];
}

}  // namespace
}  // namespace breakeven
