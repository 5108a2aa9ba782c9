// SPDX-License-Identifier: Apache-2.0
// Every strategy has a definition that it can be held against.
#include "src/verify/serial_definition.h"

#include <gtest/gtest.h>

namespace breakeven {
namespace {

StrategyChoice choice_of(std::string_view text) { return std::get<StrategyChoice>(parse_strategy(text)); }

TEST(SerialDefinition, ExistsForEveryStrategy) {
  for (const StrategyDescription& info : strategies())
    EXPECT_NE(verify::serial_definition_of(choice_of(info.name)), nullptr) << info.name;
}

TEST(SerialDefinition, OfAnExactStrategyIsDataParallelism) {
  for (const char* exact : {"single", "ddp", "ddp:buckets=1MB", "parameter-server"})
    EXPECT_EQ(verify::serial_definition_of(choice_of(exact)), &verify::define_data_parallel) << exact;
}

// A row without a strategy would never be looked at.
TEST(SerialDefinition, EveryLossyStrategyExists) {
  for (const verify::LossyStrategy& lossy : verify::lossy_strategies())
    EXPECT_TRUE(std::holds_alternative<StrategyChoice>(parse_strategy(lossy.name))) << lossy.name;
}

TEST(SerialDefinition, AMissingDefinitionOfALossyStrategyIsNoticed) {
  StrategyDescription unknown = *choice_of("ddp").info;
  unknown.name = "unheard-of";
  unknown.promise = [](const StrategyOptions&) { return StrategyPromise{.exact = false}; };
  EXPECT_EQ(verify::serial_definition_of({&unknown, {}}), nullptr);
}

}  // namespace
}  // namespace breakeven
