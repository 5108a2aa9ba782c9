// SPDX-License-Identifier: Apache-2.0
// The command line and the --config file: same names, the command line wins, mistakes are answered by value.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "src/measure/plan/options.h"

namespace breakeven {
namespace {

std::variant<measure::RunOptions, UsageError, HelpText> parse(std::vector<std::string> words) {
  words.insert(words.begin(), "run");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return measure::parse_run_options(static_cast<int>(argv.size()), argv.data(), measure::run_defaults());
}

measure::RunOptions parsed(const std::vector<std::string>& words) {
  const auto answer = parse(words);
  if (const auto* error = std::get_if<UsageError>(&answer)) ADD_FAILURE() << error->sentence;
  return std::holds_alternative<measure::RunOptions>(answer) ? std::get<measure::RunOptions>(answer)
                                                             : measure::RunOptions{};
}

std::string refusal(const std::vector<std::string>& words) {
  const auto answer = parse(words);
  const auto* error = std::get_if<UsageError>(&answer);
  return error != nullptr ? error->sentence : "";
}

class ConfigFile {
 public:
  explicit ConfigFile(const std::string& text) { std::ofstream(path_) << text; }
  ~ConfigFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_; }

 private:
  std::string path_ = testing::TempDir() + "breakeven_options.ini";
};

TEST(Options, DefaultsHold) {
  const measure::RunOptions options = parsed({});
  EXPECT_EQ(options.axes[Axis::batch], (std::vector<std::string>{"16", "32", "64", "128"}));
  EXPECT_EQ(options.warmup, 10u);
  EXPECT_EQ(options.learning_rate, 1e-3f);
  EXPECT_TRUE(options.random_order);
}

TEST(Options, ConfigFileIsReadAndTheCommandLineWins) {
  const ConfigFile file(
      "# a comment\nmodels = large\nbatches = 8,16\nsteps = 7\n"
      "nccl = NCCL_P2P_DISABLE=1\nnccl = NCCL_ALGO=allreduce:tree\n");
  const measure::RunOptions options = parsed({"--config", file.path(), "--batches", "32"});
  EXPECT_EQ(options.axes[Axis::model], std::vector<std::string>{"large"});
  EXPECT_EQ(options.axes[Axis::batch], std::vector<std::string>{"32"});
  EXPECT_EQ(options.steps, 7u);
  ASSERT_EQ(options.nccl.size(), 2u);
  EXPECT_EQ(options.nccl[1], (std::pair<std::string, std::string>{"NCCL_ALGO", "allreduce:tree"}));
}

// For one version.
TEST(Options, OldNamesAndWordsMeanTheNewOnesWithAWarning) {
  const measure::RunOptions options =
      parsed({"--instrument", "total,phases", "--collectives=mpi", "--until-precise", "2%", "--until",
              "loss=0.5", "--look-every", "7"});
  EXPECT_EQ(options.axes[Axis::timing], (std::vector<std::string>{"steps", "phases"}));
  EXPECT_EQ(options.axes[Axis::transport], std::vector<std::string>{"mpi"});
  EXPECT_EQ(options.target_ci, 0.02);
  EXPECT_EQ(options.eval_every, 7u);
  ASSERT_EQ(options.warnings.size(), 4u);
  EXPECT_EQ(options.warnings[0], "--instrument total,phases is deprecated: pass --timing steps,phases");
  EXPECT_TRUE(parsed({"--timing", "steps"}).warnings.empty());
  EXPECT_EQ(parsed({"--timing", "total"}).axes[Axis::timing], std::vector<std::string>{"steps"});
  EXPECT_EQ(parsed({"--timing", "total"}).warnings.size(), 1u);
}

TEST(Options, OldNamesInAConfigFileToo) {
  const ConfigFile file("instrument = total\ncollectives = mpi\n");
  const measure::RunOptions options = parsed({"--config", file.path(), "--transports", "nccl"});
  EXPECT_EQ(options.axes[Axis::timing], std::vector<std::string>{"steps"});
  EXPECT_EQ(options.axes[Axis::transport], std::vector<std::string>{"nccl"});
  EXPECT_EQ(options.warnings.size(), 2u);
}

TEST(Options, HelpDoesNotListOldNames) {
  const auto answer = parse({"--help"});
  ASSERT_TRUE(std::holds_alternative<HelpText>(answer));
  const std::string& text = std::get<HelpText>(answer).text;
  EXPECT_NE(text.find("--timing"), std::string::npos);
  for (const char* old_name : {"--instrument", "--collectives", "--until-precise", "--look-every"})
    EXPECT_EQ(text.find(old_name), std::string::npos) << old_name;
}

TEST(Options, MistakesAreNamed) {
  EXPECT_NE(refusal({"--bogus", "1"}).find("bogus"), std::string::npos);
  EXPECT_NE(refusal({"stray"}).find("positional"), std::string::npos);
  EXPECT_NE(refusal({"--steps", "x"}).find("steps"), std::string::npos);
  EXPECT_NE(refusal({"--steps", "0"}).find("--steps must be"), std::string::npos);
  EXPECT_NE(refusal({"--warmup", "1"}).find("--warmup must be"), std::string::npos);
  EXPECT_NE(refusal({"--order", "odd"}).find("random, listed"), std::string::npos);
  EXPECT_NE(refusal({"--backend", "tpu"}).find("auto, cuda, host"), std::string::npos);
  EXPECT_NE(refusal({"--optimizer", "lamb"}).find("adam, sgd"), std::string::npos);
  EXPECT_NE(refusal({"--learning-rate", "0"}).find("positive"), std::string::npos);
  EXPECT_NE(refusal({"--timeout", "-1"}).find("positive"), std::string::npos);
  EXPECT_NE(refusal({"--nccl", "P2P=1"}).find("NCCL_NAME=VALUE"), std::string::npos);
  EXPECT_NE(refusal({"--config", "/no/such/file"}).find("cannot be read"), std::string::npos);
  const ConfigFile file("bogus = 1\n");
  EXPECT_NE(refusal({"--config", file.path()}).find("bogus"), std::string::npos);
}

TEST(Options, ASuiteSetsNoVariableThatNamesAFileOrCode) {
  for (const char* name : {"NCCL_ENV_PLUGIN", "NCCL_NET_PLUGIN", "NCCL_DEBUG_FILE", "NCCL_CONF_FILE",
                           "NCCL_TUNER_CONFIG_FILE", "NCCL_TOPO_DUMP_FILE", "NCCL_X_PATH_Y"}) {
    const ConfigFile file(fmt::format("nccl = {}=x\n", name));
    EXPECT_NE(refusal({"--config", file.path()}).find("names a file or code to load"), std::string::npos)
        << name;
  }
  EXPECT_EQ(parsed({"--nccl", "NCCL_PROFILE=1"}).nccl.size(), 1u);
}

TEST(Options, UntilIsOneQualityThatCanBeMeasured) {
  EXPECT_FALSE(parsed({}).until.has_value());
  const measure::RunOptions options = parsed({"--until", "loss=0.5", "--eval-every", "50", "--smooth", "7"});
  EXPECT_EQ(options.until, (QualityTarget{QualityMeasure::loss, 0.5}));
  EXPECT_EQ(options.eval_every, 50u);
  EXPECT_EQ(options.smooth, 7u);
  EXPECT_EQ(settings_of(options).back(), (std::pair<std::string, std::string>{"smooth", "7"}));
  EXPECT_EQ(settings_of(parsed({"--settle", "0"})).back().first, "timeout");
  EXPECT_TRUE(parsed({"--until", "accuracy=0.9", "--dataset", "x.h5"}).until.has_value());
  EXPECT_NE(refusal({"--until", "accuracy=0.9"}).find("needs a --dataset"), std::string::npos);
  EXPECT_NE(refusal({"--until", "loss"}).find("Use loss=X"), std::string::npos);
  EXPECT_NE(refusal({"--eval-every", "0"}).find("--eval-every must be"), std::string::npos);
  EXPECT_NE(
      refusal({"--until", "loss=1", "--steps", "5", "--warmup", "2", "--smooth", "8"}).find("from 1 to 7"),
      std::string::npos);
}

TEST(Options, SettlingIsADurationOrNone) {
  const measure::RunOptions options =
      parsed({"--settle", "500ms", "--settle-tolerance", "2%", "--seconds", "0"});
  EXPECT_EQ(options.settle.most_seconds, 0.5);
  EXPECT_EQ(options.settle.tolerance, 0.02);
  EXPECT_EQ(options.seconds, 0);
  EXPECT_EQ(parsed({}).settle.most_seconds, 5);
  EXPECT_EQ(parsed({"--settle", "0"}).settle.most_seconds, 0);
  EXPECT_EQ(parsed({"--seconds", "0.25"}).seconds, 0.25);
  EXPECT_NE(refusal({"--settle", "200"}).find("must be shorter than --timeout 120"), std::string::npos);
  for (const char* bad : {"=-1s", "=-1", "=soon", "=nan", "=inf", "=5 parsecs"}) {
    EXPECT_NE(refusal({std::string("--settle") + bad}).find("--settle '"), std::string::npos) << bad;
    EXPECT_NE(refusal({std::string("--seconds") + bad}).find("--seconds '"), std::string::npos) << bad;
  }
  for (const char* bad : {"0", "2", "nan", "-1%", "much"})
    EXPECT_NE(refusal({"--settle-tolerance", bad}).find("--settle-tolerance '"), std::string::npos) << bad;
}

TEST(Options, ARandomOrderMayHaveANumber) {
  EXPECT_EQ(parsed({"--order", "random:7"}).order_number, 7u);
  EXPECT_TRUE(parsed({"--order", "random:7"}).random_order);
  EXPECT_FALSE(parsed({"--order", "listed"}).random_order);
  for (const char* bad : {"random:", "random:0", "random:-1", "random:x", "random:1000001", "listed:1"})
    EXPECT_NE(refusal({"--order", bad}).find("--order '"), std::string::npos) << bad;
}

TEST(Options, AMemoryLimitHasAUnit) {
  EXPECT_EQ(parsed({}).memory_limit_bytes, 0u);
  EXPECT_EQ(parsed({"--memory-limit", "12GB"}).memory_limit_bytes, 12000000000u);
  EXPECT_NE(refusal({"--memory-limit", "12"}).find("such as 12GB"), std::string::npos);
}

TEST(Options, HelpIsAnAnswer) {
  const auto answer = parse({"--help"});
  ASSERT_TRUE(std::holds_alternative<HelpText>(answer));
  EXPECT_NE(std::get<HelpText>(answer).text.find("--strategies"), std::string::npos);
}

}  // namespace
}  // namespace breakeven
