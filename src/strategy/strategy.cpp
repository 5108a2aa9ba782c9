// SPDX-License-Identifier: Apache-2.0
// The table of strategies, and what they share.
#include "src/strategy/strategy.h"

#include <array>

#include "src/strategy/gradient_norm.h"
#include "src/strategy/kept_activations.h"
#include "src/strategy/strategy_functions.h"

namespace breakeven {
namespace {

const std::array table{
    StrategyInfo{"single",
                 "one GPU, no exchange machinery at all",
                 false,
                 {"clip", "accumulate", "checkpoint"},
                 make_single,
                 StrategyInfo::exchanges_nothing,
                 StrategyInfo::nothing_refused,
                 single_promise},
    StrategyInfo{"independent",
                 "unconnected copies of 'single', one on each GPU, each with the whole batch",
                 false,
                 {},
                 make_single,
                 StrategyInfo::exchanges_nothing,
                 StrategyInfo::nothing_refused,
                 single_promise,
                 {.copies = true, .in_step = false}},
    StrategyInfo{"ddp",
                 "data parallel: the gradients are summed by an all-reduce, every rank makes the update",
                 true,
                 {"buckets", "first-bucket", "compress", "clip", "accumulate", "checkpoint"},
                 make_ddp,
                 ddp_messages,
                 ddp_refusal,
                 ddp_promise,
                 {},
                 ddp_memory_need},
    StrategyInfo{"parameter-server",
                 "data parallel: rank 0 sums the gradients, updates, sends the parameters",
                 true,
                 {"clip", "accumulate", "checkpoint"},
                 make_parameter_server,
                 parameter_server_messages},
    StrategyInfo{"zero1",
                 "data parallel: every rank has the moments and makes the update of its share alone",
                 true,
                 {"buckets", "clip", "accumulate", "checkpoint"},
                 make_zero1,
                 zero1_messages,
                 StrategyInfo::nothing_refused,
                 StrategyInfo::promises_all,
                 {},
                 zero1_memory_need,
                 sharded_work},
    StrategyInfo{"zero2",
                 "zero1, and every rank keeps the gradients of its share alone",
                 true,
                 {"buckets", "clip", "checkpoint"},
                 make_zero2,
                 zero2_messages,
                 StrategyInfo::nothing_refused,
                 StrategyInfo::promises_all,
                 {.overlaps = true},
                 zero2_memory_need,
                 sharded_work},
    StrategyInfo{"fsdp",
                 "zero2, and every rank keeps the parameters of its share alone, gathered layer by layer",
                 true,
                 {"clip"},
                 make_fsdp,
                 fsdp_messages,
                 StrategyInfo::nothing_refused,
                 StrategyInfo::promises_all,
                 {.overlaps = true},
                 fsdp_memory_need,
                 sharded_work},
    StrategyInfo{"tensor",
                 "tensor parallel: each rank has a share of every layer; sums of activations are exchanged",
                 true,
                 {},
                 make_tensor,
                 tensor_messages,
                 tensor_refusal,
                 tensor_promise,
                 {.splits_model = true},
                 tensor_memory_need,
                 tensor_work},
    StrategyInfo{"pipeline",
                 "pipeline parallel: each rank has some layers; micro-batches go from rank to rank",
                 true,
                 {"schedule", "micro-batches"},
                 make_pipeline,
                 pipeline_messages,
                 pipeline_refusal,
                 pipeline_promise,
                 {.splits_model = true},
                 pipeline_memory_need,
                 pipeline_work},
    StrategyInfo{"hybrid",
                 "data parallel over groups of ranks that split the model, by tensor or by pipeline",
                 true,
                 {"data", "tensor", "pipeline", "schedule", "micro-batches"},
                 make_hybrid,
                 hybrid_messages,
                 hybrid_refusal,
                 hybrid_promise,
                 {.splits_model = true},
                 hybrid_memory_need,
                 hybrid_work},
    StrategyInfo{"local-sgd",
                 "every rank trains a model of its own; their parameters are averaged once a period",
                 true,
                 {"period", "outer", "outer-momentum", "outer-rate", "accumulate", "checkpoint"},
                 make_local_sgd,
                 local_sgd_messages,
                 local_sgd_refusal,
                 local_sgd_promise,
                 {.in_step = false},
                 local_sgd_memory_need},
    StrategyInfo{"stale",
                 "data parallel, gradients applied one step late: their exchange hides behind that step",
                 true,
                 {"accumulate", "checkpoint"},
                 make_stale,
                 stale_messages,
                 StrategyInfo::nothing_refused,
                 stale_promise,
                 {.overlaps = true},
                 stale_memory_need},
    StrategyInfo{"async-server",
                 "every rank pulls the parameters from rank 0 and pushes its updates when it likes",
                 true,
                 {},
                 make_async_server,
                 async_server_messages,
                 StrategyInfo::nothing_refused,
                 async_server_promise,
                 {.in_step = false, .capturable = false}},
};

}  // namespace

void Strategy::gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream) {
  device_.copy(whole.data(), mlp.parameters().data(), whole.size_bytes(), stream);
}

std::vector<std::span<const float>> Strategy::own_gradients(Mlp& mlp, std::uint32_t) const {
  if (rank() != 0) return {};
  return {mlp.gradients()};
}

void enqueue_forward(Mlp& mlp, const BatchSource& source, PhaseMarks& marks, Stream& stream) {
  const std::uint32_t last = mlp.settings().micro_batches.count - 1;
  marks.begin(stream);
  for (std::uint32_t part = 0; part <= last; ++part) {
    mlp.load_batch(part, source, stream);
    marks.end_of(Phase::input, stream);
    mlp.forward(part, Mlp::no_hook, stream);
    marks.end_of(Phase::forward, stream);
    if (part == last) return;
    mlp.backward(part, Mlp::no_hook, Mlp::no_hook, stream);
    marks.end_of(Phase::backward, stream);
  }
}

std::string StrategyInfo::refusal(const StrategyOptions& options, const SharedWork& work) const {
  const std::string of_activations = kept_activations_refusal(options, work);
  return of_activations.empty() ? own_refusal(options, work) : of_activations;
}

RankWork StrategyInfo::work_of_mlp(const StrategyOptions& options, const MlpSettings& whole, int, int) {
  return {.shape = whole.shape,
          .rows = whole.rows / options.accumulate,
          .passes = static_cast<double>(options.accumulate),
          .forwards = options.checkpoints ? 2.0 : 1.0};
}

MemoryNeed StrategyInfo::whole_mlp(const StrategyOptions& options, const MlpSettings& whole, int, int) {
  MemoryNeed need = Mlp::memory_need(whole);
  need.strategy = WholeGradientClip::bytes_needed(options);
  return need;
}

MlpSettings settings_of_own_batch(const MlpSettings& whole) {
  MlpSettings own = whole;
  own.rows_of_mean = whole.rows;
  own.share = static_cast<float>(whole.rows) / static_cast<float>(whole.global_batch);
  return own;
}

std::span<const StrategyInfo> strategies() { return table; }

}  // namespace breakeven
