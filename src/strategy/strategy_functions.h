// SPDX-License-Identifier: Apache-2.0
// The functions of which the rows of the strategies' table are made (strategy.h): each strategy's in the file
// of its name, those of zero1 and zero2 in zero.cpp.
#pragma once

#include "src/strategy/strategy.h"

namespace breakeven {

std::unique_ptr<Strategy> make_single(const StrategySetup& setup);
StrategyPromise single_promise(const StrategyOptions& options);

std::unique_ptr<Strategy> make_ddp(const StrategySetup& setup);
std::vector<Message> ddp_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                  int ranks);
std::string ddp_refusal(const StrategyOptions& options, const SharedWork& work);
StrategyPromise ddp_promise(const StrategyOptions& options);
MemoryNeed ddp_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

std::unique_ptr<Strategy> make_parameter_server(const StrategySetup& setup);
std::vector<Message> parameter_server_messages(const StrategyOptions& options, const MlpSettings& whole,
                                               int rank, int ranks);

RankWork sharded_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
std::unique_ptr<Strategy> make_zero1(const StrategySetup& setup);
std::vector<Message> zero1_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                    int ranks);
MemoryNeed zero1_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

std::unique_ptr<Strategy> make_zero2(const StrategySetup& setup);
std::vector<Message> zero2_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                    int ranks);
MemoryNeed zero2_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

std::unique_ptr<Strategy> make_fsdp(const StrategySetup& setup);
std::vector<Message> fsdp_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                   int ranks);
MemoryNeed fsdp_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

RankWork tensor_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
std::unique_ptr<Strategy> make_tensor(const StrategySetup& setup);
std::vector<Message> tensor_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                     int ranks);
std::string tensor_refusal(const StrategyOptions& options, const SharedWork& work);
StrategyPromise tensor_promise(const StrategyOptions& options);
MemoryNeed tensor_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

RankWork pipeline_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
std::unique_ptr<Strategy> make_pipeline(const StrategySetup& setup);
std::vector<Message> pipeline_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                       int ranks);
std::string pipeline_refusal(const StrategyOptions& options, const SharedWork& work);
StrategyPromise pipeline_promise(const StrategyOptions& options);
MemoryNeed pipeline_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                int ranks);

RankWork hybrid_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
std::unique_ptr<Strategy> make_hybrid(const StrategySetup& setup);
std::vector<Message> hybrid_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                     int ranks);
std::string hybrid_refusal(const StrategyOptions& options, const SharedWork& work);
StrategyPromise hybrid_promise(const StrategyOptions& options);
MemoryNeed hybrid_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

std::unique_ptr<Strategy> make_local_sgd(const StrategySetup& setup);
std::vector<Message> local_sgd_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                        int ranks);
std::string local_sgd_refusal(const StrategyOptions& options, const SharedWork& work);
StrategyPromise local_sgd_promise(const StrategyOptions& options);
MemoryNeed local_sgd_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                 int ranks);

std::unique_ptr<Strategy> make_stale(const StrategySetup& setup);
std::vector<Message> stale_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                    int ranks);
StrategyPromise stale_promise(const StrategyOptions& options);
MemoryNeed stale_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

std::unique_ptr<Strategy> make_async_server(const StrategySetup& setup);
std::vector<Message> async_server_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                           int ranks);
StrategyPromise async_server_promise(const StrategyOptions& options);

}  // namespace breakeven
