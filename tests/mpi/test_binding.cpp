// SPDX-License-Identifier: Apache-2.0
#include "mpi/binding.h"

#include <gtest/gtest.h>

#include "mpi/open_device.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

constexpr bool own = false;
constexpr bool shared = true;

TEST(ChooseGpu, TakesTheOnlyVisibleOne) {
  EXPECT_EQ(choose_gpu(1, 0, 1, own), 0);
  EXPECT_EQ(choose_gpu(1, 3, 4, own), 0);
  EXPECT_EQ(choose_gpu(1, 3, 4, shared), 0);
}

TEST(ChooseGpu, FollowsThePlaceOnTheNode) {
  EXPECT_EQ(choose_gpu(4, 2, 4, own), 2);
  EXPECT_EQ(choose_gpu(8, 1, 2, own), 1);
  EXPECT_EQ(choose_gpu(4, 3, 4, shared), 3);
}

TEST(ChooseGpu, RefusesTooFewOnEveryRank) {
  EXPECT_EQ(choose_gpu(0, 0, 1, own), -1);
  EXPECT_EQ(choose_gpu(0, 0, 1, shared), -1);
  for (int node_rank = 0; node_rank < 4; ++node_rank) EXPECT_EQ(choose_gpu(2, node_rank, 4, own), -1);
}

TEST(ChooseGpu, SharesInTurn) {
  for (int node_rank = 0; node_rank < 5; ++node_rank) {
    EXPECT_EQ(choose_gpu(2, node_rank, 5, shared), node_rank % 2);
  }
}

GpuClaim claim(int visible, int node_size, int gpu, const char* host, const char* uuid) {
  return {.visible_gpus = visible, .node_size = node_size, .gpu = gpu, .host = host, .uuid = uuid};
}

TEST(BindingProblem, IsEmptyIfEveryRankHasItsOwnGpu) {
  EXPECT_EQ(binding_problem({claim(1, 1, 0, "node07", "GPU-a")}, own), "");
  EXPECT_EQ(binding_problem({claim(1, 2, 0, "node07", "GPU-a"), claim(1, 2, 0, "node07", "GPU-b")}, own), "");
  EXPECT_EQ(binding_problem({claim(1, 2, 0, "node07", "GPU-a"), claim(1, 2, 0, "node07", "GPU-a")}, shared),
            "");
}

TEST(BindingProblem, NamesTheNodeThatHasTooFew) {
  const GpuClaim good = claim(2, 1, 0, "node06", "GPU-z");
  EXPECT_EQ(binding_problem({good, claim(2, 4, -1, "node07", ""), claim(2, 4, -1, "node07", "")}, own),
            "4 ranks on node07 but 2 GPUs are visible. Start fewer ranks (mpirun --map-by ppr:2:node, srun "
            "--ntasks-per-node=2), request more GPUs from Slurm (--gpus-per-node=4), or pass --share-gpus");
  EXPECT_EQ(binding_problem({good, claim(0, 1, -1, "node08", "")}, shared),
            "no GPU is visible on node08. To run on the CPU, pass --backend host");
}

TEST(BindingProblem, SeesOneGpuUnderTwoOrdinals) {
  const auto sentence =
      binding_problem({claim(1, 2, 0, "node07", "GPU-a"), claim(1, 2, 0, "node07", "GPU-a")}, own);
  EXPECT_EQ(sentence,
            "ranks 0 and 1 on node07 both got GPU-a. Give each rank its own GPU (--gpus-per-node with srun "
            "and sbatch, all of them in CUDA_VISIBLE_DEVICES), start fewer ranks, or pass --share-gpus");
}

TEST(BindingRemark, NamesTheHostWhosePeersAreHidden) {
  const GpuClaim a = claim(1, 2, 0, "node07", "GPU-a");
  const GpuClaim b = claim(1, 2, 0, "node07", "GPU-b");
  EXPECT_EQ(binding_remark({claim(1, 1, 0, "node06", "GPU-z"), a, b}).find("each rank on node07 sees only"),
            0);
  EXPECT_NE(binding_remark({a, b}).find("--gpus-per-node, without --gpus-per-task or --gpu-bind"),
            std::string::npos);
  EXPECT_EQ(binding_remark({a, claim(1, 1, 0, "node08", "GPU-b")}), "") << "one rank a host";
  EXPECT_EQ(binding_remark({a, a}), "") << "one shared GPU";
  EXPECT_EQ(binding_remark({claim(2, 2, 0, "node07", "GPU-a"), claim(2, 2, 1, "node07", "GPU-b")}), "");
}

TEST(CoreRemark, NamesTheHostWhoseRanksShareTooFewCores) {
  const std::string all_on_one = core_remark({{"node07", {3}, 64}, {"node07", {3}, 64}});
  EXPECT_EQ(all_on_one,
            "the 2 ranks on node07 may use only 1 of its 64 cores. Pass --cpus-per-task=N to srun too (srun "
            "does not inherit it from sbatch), or --bind-to none to mpirun");
  EXPECT_EQ(core_remark({{"node07", {3}, 64}, {"node07", {4}, 64}}), "");
  EXPECT_EQ(core_remark({{"node07", {3}, 64}, {"node08", {3}, 64}}), "") << "one rank a host";
  EXPECT_EQ(core_remark({{"small", {0, 1}, 2}, {"small", {0, 1}, 2}, {"small", {0, 1}, 2}}), "")
      << "the host has no more";
  EXPECT_EQ(core_remark({{"node07", {}, 64}, {"node07", {3}, 64}}), "") << "unknown";
}

TEST(BindGpu, GivesEveryRankAGpuOrOneSentence) {
  const Binding binding = bind_gpu(test_session(), own);
  EXPECT_EQ(binding.gpu < 0, !binding.sentence.empty());
  const ExitCode mine = binding.gpu < 0 ? ExitCode::environment : ExitCode::success;
  EXPECT_EQ(test_session().agree(mine), mine) << "all ranks have the same answer";
}

TEST(OpenDevice, OpensTheHostIfAskedTo) {
  const auto device = open_device(test_session(), "host", own);
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->info().backend, "host");
}

TEST(OpenDevice, FallsBackOnlyForAuto) {
  if (visible_gpus() > 0) GTEST_SKIP() << "a GPU is visible";
  const auto device = open_device(test_session(), "auto", own);
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->info().backend, "host");
  EXPECT_EQ(open_device(test_session(), "cuda", own), nullptr);
}

}  // namespace
}  // namespace breakeven
