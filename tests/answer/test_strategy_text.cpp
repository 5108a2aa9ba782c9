// SPDX-License-Identifier: Apache-2.0
// A strategy as the user writes it: what is legal is understood, all else is refused with what would be.
#include <gtest/gtest.h>

#include <algorithm>

#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/description.h"

namespace breakeven {
namespace {

StrategyChoice chosen(std::string_view text) {
  const auto parsed = parse_strategy(text);
  if (const auto* error = std::get_if<UsageError>(&parsed)) ADD_FAILURE() << error->sentence;
  return std::get<StrategyChoice>(parsed);
}

std::string refusal(std::string_view text) {
  const auto parsed = parse_strategy(text);
  const auto* error = std::get_if<UsageError>(&parsed);
  return error != nullptr ? error->sentence : "";
}

TEST(StrategyText, NameAloneHasNoOptions) {
  const StrategyChoice choice = chosen("ddp");
  EXPECT_EQ(choice.info->name, "ddp");
  EXPECT_EQ(choice.options.bucket_bytes, 0u);
}

TEST(StrategyText, OptionsFollowColons) {
  const StrategyChoice choice = chosen("ddp:buckets=4MB:first-bucket=512KiB");
  EXPECT_EQ(choice.options.bucket_bytes, 4'000'000u);
  EXPECT_EQ(choice.options.first_bucket_bytes, 512u * 1024);
}

TEST(StrategyText, CompressionKeepsItsColon) {
  const StrategyChoice choice = chosen("ddp:compress=topk:0.01:buckets=4MB");
  EXPECT_EQ(choice.options.compression.form->name, "topk");
  EXPECT_EQ(choice.options.compression.argument, 0.01);
  EXPECT_EQ(choice.options.bucket_bytes, 4'000'000u);
  EXPECT_TRUE(chosen("ddp").options.compression.is_plain());
  EXPECT_NE(refusal("ddp:compress=topk").find("compress must be one of none, bf16"), std::string::npos);
}

TEST(StrategyText, PipelineTakesAScheduleAndMicroBatches) {
  EXPECT_EQ(chosen("pipeline").options.schedule, PipelineSchedule::one_forward_one_backward);
  const StrategyChoice choice = chosen("pipeline:schedule=gpipe:micro-batches=8");
  EXPECT_EQ(choice.options.schedule, PipelineSchedule::gpipe);
  EXPECT_EQ(choice.options.micro_batches, 8u);
  EXPECT_NE(refusal("pipeline:schedule=x").find("schedule must be gpipe or 1f1b"), std::string::npos);
  EXPECT_NE(refusal("pipeline:micro-batches=0").find("micro-batches must be a whole number from 1 to 4096"),
            std::string::npos);
  const ModelShape shape{"", {40, 30, 20, 10}, 0};
  EXPECT_EQ(choice.info->refusal(choice.options, {shape, 24, 3}), "");
  EXPECT_EQ(choice.info->refusal(choice.options, {shape, 24, 4}),
            "3 layers make 1 to 3 pipeline stages, not 4");
  EXPECT_EQ(choice.info->refusal(choice.options, {shape, 25, 3}),
            "25 samples do not divide evenly into 8 micro-batches");
}

TEST(StrategyText, ActivationsAreKeptOfPartsOfTheRowsAndOfSomeLayers) {
  EXPECT_EQ(chosen("ddp").options.accumulate, 1u);
  EXPECT_FALSE(chosen("ddp").options.checkpoints);
  const StrategyChoice choice = chosen("zero1:accumulate=4:checkpoint=activations:3:clip=1");
  EXPECT_EQ(choice.options.accumulate, 4u);
  EXPECT_TRUE(choice.options.checkpoints);
  EXPECT_EQ(choice.options.layers_a_checkpoint, 3u);
  for (const char* text : {"ddp:accumulate=0", "ddp:accumulate=4097", "ddp:accumulate=x"})
    EXPECT_NE(refusal(text).find("accumulate must be a whole number from 1 to 4096"), std::string::npos);
  for (const char* text : {"ddp:checkpoint=", "ddp:checkpoint=weights", "ddp:checkpoint=activations:0",
                           "ddp:checkpoint=activations:", "ddp:checkpoint=activationsx"})
    EXPECT_NE(refusal(text).find("checkpoint must be activations, or activations:K"), std::string::npos)
        << text;
  EXPECT_NE(refusal("zero2:accumulate=2").find("has no option 'accumulate'"), std::string::npos);
  EXPECT_NE(refusal("fsdp:checkpoint=activations").find("has no option 'checkpoint'"), std::string::npos);
}

TEST(StrategyText, RowsDivideIntoMicroBatchesOrAreRefused) {
  const ModelShape shape{"", {40, 30, 20, 10}, 0};
  const auto refused = [&](std::string_view text, std::uint32_t batch, int ranks) {
    const StrategyChoice choice = chosen(text);
    return choice.info->refusal(choice.options, {shape, batch, ranks});
  };
  EXPECT_EQ(refused("ddp:accumulate=6", 24, 4), "");
  EXPECT_EQ(refused("ddp:accumulate=5", 24, 2),
            "12 rows per rank do not divide evenly into 5 micro-batches; use 4 or 6");
  EXPECT_EQ(refused("ddp:accumulate=7", 24, 4),
            "6 rows per rank do not divide evenly into 7 micro-batches; use 6");
  EXPECT_EQ(refused("ddp:accumulate=2:first-bucket=1MB", 24, 2).find("first-bucket"), 0u);
  EXPECT_EQ(refused("single:checkpoint=activations:3", 24, 1), "");
  EXPECT_EQ(refused("single:checkpoint=activations:4", 24, 1),
            "checkpoint=activations:4 exceeds the number of layers; use 1 to 3");
}

TEST(StrategyText, HybridIsAnyMeshOfAllRanks) {
  const ModelShape shape{"", {40, 64, 64, 64, 10}, 0};
  const auto refused = [&](std::string_view text, int ranks) {
    const StrategyChoice choice = chosen(text);
    return choice.info->refusal(choice.options, {shape, 24, ranks});
  };
  for (const char* mesh : {"hybrid", "hybrid:tensor=2", "hybrid:data=2", "hybrid:data=4", "hybrid:pipeline=4",
                           "hybrid:data=2:tensor=2", "hybrid:data=2:pipeline=2"}) {
    EXPECT_EQ(refused(mesh, 4), "") << mesh;
  }
  EXPECT_EQ(refused("hybrid", 3), "");
  EXPECT_EQ(refused("hybrid:data=2:tensor=2", 2), "a mesh of 2 x 2 needs 4 ranks; this case has 2");
  EXPECT_EQ(refused("hybrid:tensor=2", 3), "a mesh of 1 x 2 needs 2 ranks; this case has 3");
  EXPECT_EQ(refused("hybrid:tensor=8", 4), "a mesh of 1 x 8 needs 8 ranks; this case has 4");
  EXPECT_EQ(refused("hybrid:tensor=2:pipeline=2", 4), "split the model by tensor or by pipeline, not both");
}

TEST(StrategyText, NumbersBehindOptions) {
  const StrategyChoice choice =
      chosen("local-sgd:period=8:outer=nesterov:outer-momentum=0.5:outer-rate=1e-1");
  EXPECT_EQ(choice.options.period, 8u);
  EXPECT_TRUE(choice.options.outer_nesterov);
  EXPECT_EQ(choice.options.outer_momentum, 0.5f);
  EXPECT_EQ(choice.options.outer_rate, 0.1f);
  EXPECT_FALSE(chosen("local-sgd:outer=average").options.outer_nesterov);
  for (const char* text :
       {"period=0", "period=1.5", "outer=sgd", "outer-momentum=1", "outer-momentum=nan",
        "outer-momentum=-0.1", "outer-rate=0", "outer-rate=inf", "outer-rate=0.7x", "outer-rate="}) {
    EXPECT_NE(refusal(std::string("local-sgd:") + text).find(" must be "), std::string::npos) << text;
  }
}

TEST(StrategyText, OuterSettingsNeedAnOuterStep) {
  const auto refused = [](std::string_view text) {
    const StrategyChoice choice = chosen(text);
    return choice.info->refusal(choice.options, {});
  };
  EXPECT_EQ(refused("local-sgd:outer=nesterov:outer-rate=1"), "");
  EXPECT_NE(refused("local-sgd:outer-rate=1").find("outer=nesterov"), std::string::npos);
}

TEST(StrategyText, EveryOptionOfEveryStrategyIsInTheTable) {
  for (const StrategyDescription& info : strategies()) {
    for (const std::string_view key : info.options) {
      EXPECT_NE(std::ranges::find(strategy_option_table(), key, &StrategyOptionInfo::key),
                strategy_option_table().end())
          << info.name << " " << key;
    }
  }
}

TEST(StrategyText, RefusalNamesWhatIsLegal) {
  EXPECT_NE(refusal("dpp").find("'dpp' is not one of single, "), std::string::npos);
  EXPECT_NE(refusal("").find("is not one of"), std::string::npos);
  EXPECT_NE(refusal("independent:buckets=4MB").find("takes no options"), std::string::npos);
  EXPECT_NE(refusal("ddp:bucket=4MB").find("has no option 'bucket'; it takes buckets"), std::string::npos);
  for (const char* text :
       {"ddp:buckets", "ddp:buckets=", "ddp:buckets=4", "ddp:buckets=0MB", "ddp:buckets=-1MB",
        "ddp:buckets=nanMB", "ddp:buckets=infGB", "ddp:buckets=4MB:x", "ddp:buckets=0.3B"}) {
    EXPECT_NE(refusal(text).find("buckets must be a size such as 4MB"), std::string::npos) << text;
  }
  EXPECT_NE(refusal("ddp:").find("has no option ''"), std::string::npos);
}

TEST(StrategyText, FirstBucketNeedsBuckets) {
  const StrategyChoice choice = chosen("ddp:first-bucket=1MB");
  EXPECT_NE(choice.info->refusal(choice.options, {}), "");
  const StrategyChoice both = chosen("ddp:buckets=2MB:first-bucket=1MB");
  EXPECT_EQ(both.info->refusal(both.options, {}), "");
}

TEST(StrategyText, ClippingHasANumber) {
  const StrategyChoice choice = chosen("ddp:clip=0.5");
  EXPECT_EQ(choice.options.clip_norm, 0.5f);
  EXPECT_NE(choice.info->refusal(chosen("ddp:clip=1:compress=int8").options, {}), "");
  for (const char* text : {"ddp:clip=0", "ddp:clip=-1", "ddp:clip=nan", "ddp:clip=inf", "ddp:clip=1x"}) {
    EXPECT_NE(refusal(text).find("clip must be a number above 0"), std::string::npos) << text;
  }
}

TEST(Buckets, HoldEveryFloatOnceLastLayerFirst) {
  const ParameterLayout layout({"", {40, 30, 20, 10, 5}, 0});
  for (const std::uint64_t bytes : {1u, 2000u, 4000u, 1000000u}) {
    std::size_t end = layout.floats();
    for (const Bucket& bucket : make_buckets(layout, bytes, 0)) {
      EXPECT_EQ(bucket.begin + bucket.floats, end);
      EXPECT_EQ(bucket.begin, layout.weight_offset(bucket.first_layer));
      end = bucket.begin;
    }
    EXPECT_EQ(end, 0u);
  }
  EXPECT_EQ(make_buckets(layout, 1, 0).size(), 4u);
  EXPECT_EQ(make_buckets(layout, 1000000, 0).size(), 1u);
  EXPECT_EQ(make_buckets(layout, 1000000, 1).size(), 2u);
}

}  // namespace
}  // namespace breakeven
