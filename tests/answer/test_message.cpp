// SPDX-License-Identifier: Apache-2.0
// What a strategy exchanges in a step, counted by hand for a network of three layers.
#include "src/core/message.h"

#include <gtest/gtest.h>

#include "src/core/strategy/description.h"

namespace breakeven {
namespace {

constexpr std::uint32_t batch = 12;

// Rows of 40, 24 and 16 floats, of 24, 16 and 10 outputs, whose biases lie in 24, 16 and 16.
const ModelShape shape{"", {40, 24, 16, 10}, 0};
constexpr std::uint64_t layer_0 = 24 * 40 + 24;
constexpr std::uint64_t layer_1 = 16 * 24 + 16;
constexpr std::uint64_t layer_2 = 10 * 16 + 16;
constexpr std::uint64_t p = 4 * (layer_0 + layer_1 + layer_2);
constexpr std::uint64_t p_in_two =
    p + 4 * 8;  // the layers in shares of a multiple of 8 floats: 984 becomes 992

std::vector<Message> messages_of(const std::string& text, int rank, int ranks,
                                 Precision precision = Precision::fp32) {
  const auto choice = std::get<StrategyChoice>(parse_strategy(text));
  MlpSettings whole;
  whole.shape = shape;
  whole.global_batch = batch;
  whole.rows = choice.info->traits.splits_model ? batch : batch / static_cast<std::uint32_t>(ranks);
  whole.precision = precision;
  return choice.info->messages(choice.options, whole, rank, ranks);
}

using enum Collective;
using List = std::vector<Message>;

TEST(Message, DataParallelOnesByHand) {
  EXPECT_EQ(messages_of("single", 0, 1), List{});
  EXPECT_EQ(messages_of("ddp", 0, 2), (List{{all_reduce, p, 2}}));
  EXPECT_EQ(messages_of("ddp:buckets=1kB", 1, 2),
            (List{{all_reduce, 4 * (layer_1 + layer_2), 2}, {all_reduce, 4 * layer_0, 2}}));
  EXPECT_EQ(messages_of("parameter-server", 1, 3), (List{{reduce, p, 3}, {broadcast, p + 40, 3}}));
  EXPECT_EQ(messages_of("zero1", 0, 2), (List{{reduce_scatter, p_in_two, 2}, {all_gather, p_in_two, 2}}));
  EXPECT_EQ(messages_of("stale", 1, 2), (List{{all_reduce, p, 2}}));
  EXPECT_EQ(messages_of("local-sgd:period=5", 1, 2), (List{{all_reduce, p, 2, 1, 5}}));
  EXPECT_EQ(messages_of("async-server", 1, 4), (List{{one_sided, p, 4, 2}}));
}

// fp16: the working copy travels back, biases apart, and the ranks agree on overflow; clipped, on the norm
// too.
TEST(Message, ShardsInHalfPrecisionByHand) {
  const std::uint64_t biases = 4 * (24 + 16 + 16);
  EXPECT_EQ(messages_of("zero1", 0, 2, Precision::fp16), (List{{reduce_scatter, p_in_two, 2},
                                                               {all_reduce, 4, 2},
                                                               {all_gather, p_in_two / 2, 2},
                                                               {all_reduce, biases, 2}}));
  EXPECT_EQ(messages_of("zero1:clip=1", 0, 2),
            (List{{reduce_scatter, p_in_two, 2}, {all_gather, 2 * 8, 2}, {all_gather, p_in_two, 2}}));
}

// The last layer's inputs are divided, and the first layer's: 16 units on the way back to layer 0 need a sum
// in between, the outputs of layers 0 and 2 on the way forward.
TEST(Message, TensorByHand) {
  EXPECT_EQ(messages_of("tensor", 0, 2), (List{{all_reduce, 4 * batch * 24, 2},
                                               {all_reduce, 4 * batch * 24, 2},
                                               {all_reduce, 4 * batch * 16, 2}}));
}

TEST(Message, PipelineByHand) {
  for (int rank = 0; rank < 3; ++rank) {
    List expected;
    if (rank > 0) {
      const std::uint64_t bytes = 2 * 3 * (rank == 1 ? 24 : 16);
      expected.insert(expected.end(), {{send, bytes, 2, 4}, {receive, bytes, 2, 4}});
    }
    if (rank < 2) {
      const std::uint64_t bytes = 2 * 3 * (rank == 0 ? 24 : 16);
      expected.insert(expected.end(), {{send, bytes, 2, 4}, {receive, bytes, 2, 4}});
    }
    EXPECT_EQ(messages_of("pipeline:micro-batches=4", rank, 3, Precision::bf16), expected) << rank;
  }
}

TEST(Message, TrafficIsTheSum) {
  const List messages{{send, 10, 2, 4}, {all_reduce, 100, 3, 1, 5}};
  EXPECT_EQ(traffic_of(messages), (Traffic{5, 140}));
  EXPECT_DOUBLE_EQ(mean_traffic_of(messages).calls, 4.2);
  EXPECT_DOUBLE_EQ(mean_traffic_of(messages).bytes, 60);
}

}  // namespace
}  // namespace breakeven
