// SPDX-License-Identifier: Apache-2.0
// Results files are shared: what they record of the environment and the command line holds no secret.
#include "src/measure/recorded_environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace breakeven::measure {
namespace {

bool records(const char* name, const Variables& chosen = {}) {
  setenv(name, "planted", 1);
  const Variables found = recorded_environment(chosen);
  unsetenv(name);
  return std::ranges::find(found, std::pair<std::string, std::string>(name, "planted")) != found.end();
}

TEST(RecordedEnvironment, OnlyListedNamesAreRecorded) {
  for (const char* name :
       {"NCCL_ALGO", "NCCL_P2P_DISABLE", "OMPI_MCA_btl", "OMPI_MCA_coll_tuned_use_dynamic_rules",
        "CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS"})
    EXPECT_TRUE(records(name)) << name;
  for (const char* name :
       {"NCCL_ANYTHING", "NCCL_", "NCCL_AUTH_TOKEN", "OMPI_MCA_btl_tcp_if_include", "OMPI_MCA_btl_key",
        "OMPI_MCA_btl_tcp_password", "HOME", "ALGO", "AWS_SECRET_ACCESS_KEY"})
    EXPECT_FALSE(records(name)) << name;
}

TEST(RecordedEnvironment, WhatNcclIsToldIsRecordedUnlessItLooksSecret) {
  EXPECT_TRUE(records("NCCL_NEW_SETTING", {{"NCCL_NEW_SETTING", "planted"}}));
  EXPECT_FALSE(records("NCCL_API_KEY", {{"NCCL_API_KEY", "planted"}}));
}

TEST(RecordedEnvironment, NamesOfSecretsAreKnown) {
  for (const char* name : {"API_KEY", "token", "My_Secret", "PASSWORD", "DB_PASSWD", "passphrase",
                           "AUTHORIZATION", "GOOGLE_CREDENTIALS", "COOKIE"})
    EXPECT_TRUE(looks_secret(name)) << name;
  for (const char* name : {"NCCL_ALGO", "--models", "data"}) EXPECT_FALSE(looks_secret(name)) << name;
}

TEST(RecordedEnvironment, TheCommandLineHidesSecrets) {
  std::vector<std::string> words{
      "run",     "--nccl",  "NCCL_ALGO=Ring", "--nccl", "NCCL_API_KEY=hush", "--nccl=NCCL_TOKEN=hush",
      "--until", "loss=0.5"};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  EXPECT_EQ(recorded_command_line(static_cast<int>(argv.size()), argv.data()),
            "breakeven run --nccl NCCL_ALGO=Ring --nccl 'NCCL_API_KEY=***' '--nccl=NCCL_TOKEN=***' --until "
            "loss=0.5");
}

TEST(RecordedEnvironment, ASecretHidesAllOfItsValue) {
  const auto recorded = [](std::string word) {
    char* argv[] = {word.data()};
    return recorded_command_line(1, argv);
  };
  EXPECT_EQ(recorded("NCCL_TOKEN=hush="), "breakeven 'NCCL_TOKEN=***'");
  EXPECT_EQ(recorded("NCCL_TOKEN=hush,NCCL_PROTO=LL"), "breakeven 'NCCL_TOKEN=***,NCCL_PROTO=LL'");
  EXPECT_EQ(recorded("--nccl=NCCL_PROTO=LL,NCCL_TOKEN=hush,hush"),
            "breakeven '--nccl=NCCL_PROTO=LL,NCCL_TOKEN=***,'");
  EXPECT_EQ(recorded("a,b=c,,d="), "breakeven a,b=c,,d=");
  EXPECT_EQ(recorded(""), "breakeven ''");
}

}  // namespace
}  // namespace breakeven::measure
