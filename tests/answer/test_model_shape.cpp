// SPDX-License-Identifier: Apache-2.0
// The named models have the parameters that they are known for, and a shape is read or refused.
#include <gtest/gtest.h>

#include "src/core/model/model_shape.h"
#include "src/core/model/parameter_layout.h"

namespace breakeven {
namespace {

ModelShape model(const char* text) { return std::get<ModelShape>(parse_model(text)); }

TEST(ModelShape, NamedModelsHaveTheirParametersToTheUnit) {
  EXPECT_EQ(model("medium").parameters(), 258432u);
  EXPECT_EQ(model("large").parameters(), 6885376u);
  EXPECT_EQ(model("medium-50").parameters(), 54403u);
  EXPECT_EQ(model("large-50").parameters(), 2021379u);
  EXPECT_EQ(model("xl").parameters(), 54539264u);
  EXPECT_EQ(model("xxl").parameters(), 276857856u);
}

TEST(ModelShape, TypedShapeIsRead) {
  const ModelShape shape = model("784-512-10");
  EXPECT_EQ(shape.widths, (std::vector<std::uint32_t>{784, 512, 10}));
  EXPECT_EQ(shape.parameters(), 785u * 512u + 513u * 10u);
  EXPECT_GT(shape.dropout, 0.0f);
}

TEST(ModelShape, StepFlopsCountFirstLayerTwiceAndOthersThrice) {
  EXPECT_DOUBLE_EQ(model("3-5-7").step_flops(2), 2.0 * 2 * (2 * 3 * 5 + 3 * 5 * 7));
}

class RefusedModel : public testing::TestWithParam<const char*> {};

TEST_P(RefusedModel, NamesTheLegalOnes) {
  const auto parsed = parse_model(GetParam());
  ASSERT_TRUE(std::holds_alternative<UsageError>(parsed)) << GetParam();
  EXPECT_NE(std::get<UsageError>(parsed).sentence.find("medium, medium-50, large"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Words, RefusedModel,
                         testing::Values("", "huge", "784", "784-", "-784-10", "784--10", "784-0-10",
                                         "784-5x-10", "784-99999999999-10", "784,512"));

TEST(ParameterLayout, LayersAreDisjointAlignedAndCoverTheBuffer) {
  const ModelShape shape = model("799-33-1-3");
  const ParameterLayout layout(shape);
  std::vector<float> flat(layout.floats(), 0.0f);
  std::uint64_t logical = 0;
  for (std::size_t l = 0; l < shape.layers(); ++l) {
    const Matrix weight = layout.weight(flat.data(), l);
    EXPECT_EQ(weight.rows, shape.widths[l + 1]);
    EXPECT_EQ(weight.cols, shape.widths[l]);
    EXPECT_EQ((weight.floats() - flat.data()) % 4, 0);
    EXPECT_EQ(weight.ld % 4, 0);
    for (std::int64_t row = 0; row < weight.rows; ++row) {
      for (std::int64_t col = 0; col < weight.cols; ++col, ++logical)
        weight.floats()[row * weight.ld + col] += 1;
    }
    for (std::uint32_t i = 0; i < shape.widths[l + 1]; ++i, ++logical) layout.bias(flat.data(), l)[i] += 1;
  }
  EXPECT_EQ(logical, shape.parameters());
  std::uint64_t touched = 0;
  for (const float value : flat) {
    EXPECT_LE(value, 1.0f);  // no element belongs to two layers
    touched += value == 1.0f ? 1 : 0;
  }
  EXPECT_EQ(touched, shape.parameters());
}

}  // namespace
}  // namespace breakeven
