// SPDX-License-Identifier: Apache-2.0
// Options of commands: defaults, lists, legal words, conditions on several values, help, files and renamed
// options.
#include "src/core/text/command_options.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "src/core/precision.h"

namespace breakeven {
namespace {

struct Typed {
  std::vector<int> sizes;
  std::vector<Precision> precisions;
  std::string file;
  double seconds = 60;
  std::string transport = "auto";
  int rounds = 3;
  std::uint64_t bytes = 0;
  std::vector<std::string> variables;
  bool has_timeout = false;
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
  options.begin_group("Launch");
  options.add("transport", typed.transport, "how data travel");
  options.add_within("rounds", typed.rounds, 2, 5, "measurements", "; fewer say nothing");
  options.add("largest", "", "a size", parsed_by(parse_bytes, "largest", "a size such as 4MiB", typed.bytes));
  options.add_repeatable("set", typed.variables, "a variable", "NAME=VALUE");
  options.add_config("config", "a file with these options");
  options.check([&] { return typed.has_timeout = options.is_given("timeout"), std::string(); });
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

TEST(CommandOptions, StandInGroupsInTheHelp) {
  const auto answer = parse({"-h"});
  ASSERT_TRUE(std::holds_alternative<HelpText>(answer));
  const std::string& text = std::get<HelpText>(answer).text;
  const std::size_t first = text.find("\nOptions:\n"), second = text.find("\nLaunch:\n");
  ASSERT_NE(second, std::string::npos) << text;
  EXPECT_LT(first, text.find("--timeout"));
  EXPECT_LT(text.find("--timeout"), second);
  EXPECT_LT(second, text.find("--transport"));
  EXPECT_LT(second, text.find("--help"));
}

TEST(CommandOptions, RefuseNumbersBeyondTheirEnds) {
  EXPECT_EQ(parsed({"--rounds", "2"}).rounds, 2);
  EXPECT_EQ(parsed({"--rounds", "5"}).rounds, 5);
  for (const char* wrong : {"1", "6"})
    EXPECT_EQ(refusal({"--rounds", wrong}), "--rounds must be from 2 to 5; fewer say nothing");
}

TEST(CommandOptions, ReadATextOnlyIfItIsGiven) {
  EXPECT_EQ(parsed({}).bytes, 0u);
  EXPECT_EQ(parsed({"--largest", "2kB"}).bytes, 2000u);
  EXPECT_EQ(refusal({"--largest", "much"}), "--largest 'much' is not a size such as 4MiB");
}

TEST(CommandOptions, ComeFromAFileTooAndTheCommandLineWins) {
  const std::string path = testing::TempDir() + "breakeven_command_options.ini";
  std::ofstream(path) << "rounds = 4\ntimeout = 7\nset = A=1\ncollective = mpi\n";
  const Typed typed = parsed({"--config", path, "--rounds", "5", "--set", "B=2"});
  EXPECT_EQ(typed.rounds, 5);
  EXPECT_EQ(typed.seconds, 7);
  EXPECT_TRUE(typed.has_timeout);
  EXPECT_FALSE(parsed({}).has_timeout);
  EXPECT_EQ(typed.variables, (std::vector<std::string>{"B=2", "A=1"}));
  EXPECT_EQ(typed.transport, "mpi");
  EXPECT_EQ(typed.warnings.size(), 1u);
  std::ofstream(path) << "nonsense = 4\n";
  EXPECT_NE(refusal({"--config", path}).find("nonsense"), std::string::npos);
  std::filesystem::remove(path);
  EXPECT_NE(refusal({"--config", path}).find("cannot be read"), std::string::npos);
}

TEST(CommandOptions, TakeOldNamesWithAWarning) {
  const Typed typed = parsed({"--collective", "mpi"});
  EXPECT_EQ(typed.transport, "mpi");
  ASSERT_EQ(typed.warnings.size(), 1u);
  EXPECT_NE(typed.warnings[0].find("pass --transport mpi"), std::string::npos) << typed.warnings[0];
}

}  // namespace
}  // namespace breakeven
