// SPDX-License-Identifier: Apache-2.0
#include "src/measure/node_label.h"

#include <gtest/gtest.h>

namespace breakeven::measure {
namespace {

std::string kernel(const std::string& name) { return label_of(NodeRecord{.name = name}); }

TEST(NodeLabel, AProductSaysWhatItIsForAndItsPrecision) {
  EXPECT_EQ(kernel("void breakeven::gemm_async_kernel<breakeven::TensorCore<(breakeven::Precision)3, 32, 64, "
                   "16, 32, 3>, "
                   "(breakeven::GemmLayout)0, 3, 2>(breakeven::GemmGroup<2>)"),
            "gemm_async forward bf16 <32,64,16,32,3,3,2>");
  EXPECT_EQ(kernel("void breakeven::hopper::gemm_hopper_kernel<__nv_bfloat16, (breakeven::GemmLayout)1, "
                   "breakeven::hopper::Tile<128, 256, 64> >(CUtensorMap, CUtensorMap)"),
            "gemm_hopper data gradient bf16 <128,256,64>");
}

TEST(NodeLabel, NamespacesReturnTypesAndParametersGo) {
  EXPECT_EQ(kernel("breakeven::(anonymous namespace)::advance_step_kernel(breakeven::AdamSettings, "
                   "breakeven::StepState*)"),
            "advance_step");
  EXPECT_EQ(kernel("void breakeven::load_batch_kernel<float, __nv_bfloat16>(breakeven::BatchSource)"),
            "load_batch fp32,bf16");
  EXPECT_EQ(kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
}

TEST(NodeLabel, WhatIsNoKernelOrUnknownKeepsItsName) {
  EXPECT_EQ(label_of({.kind = NodeKind::copy, .name = "device to host"}), "copy device to host");
  EXPECT_EQ(label_of({.kind = NodeKind::set, .name = "memset"}), "memset");
  EXPECT_EQ(kernel("k<(breakeven::GemmLayout)7, (breakeven::Precision)99>(int)"),
            "k <(GemmLayout)7,(Precision)99>");
  EXPECT_EQ(kernel("broken<float"), "broken fp32");
  EXPECT_EQ(kernel(""), "");
}

}  // namespace
}  // namespace breakeven::measure
