// SPDX-License-Identifier: Apache-2.0
// The table of options.
#include "src/core/strategy/strategy_options.h"

#include <array>

#include "src/core/text/numbers.h"

namespace breakeven {
namespace {

constexpr std::uint32_t most_micro_batches = 4096;
constexpr std::uint32_t most_layers_a_checkpoint = 65536;
constexpr std::uint32_t most_ranks = 1u << 16;
constexpr std::uint32_t most_steps = 1000000;

template <std::uint64_t StrategyOptions::*bytes>
bool set_bytes(std::string_view value, StrategyOptions& options) {
  return parse_bytes(value, options.*bytes);
}

// A whole number from 1 to `most`.
template <auto number, std::uint32_t most>
bool set_count(std::string_view value, StrategyOptions& options) {
  const auto count = parse_count(value, most);
  options.*number = count.value_or(0);
  return count.has_value();
}

bool set_compression(std::string_view value, StrategyOptions& options) {
  const std::optional<Compression> compression = parse_compression(value);
  if (compression) options.compression = *compression;
  return compression.has_value();
}

bool set_clip(std::string_view value, StrategyOptions& options) {
  options.clip_norm = parse_number<float>(value).value_or(0);
  return options.clip_norm > 0;
}

bool set_checkpoint(std::string_view value, StrategyOptions& options) {
  constexpr std::string_view what = "activations";
  options.checkpoints = true;
  if (value == what) return true;
  if (!value.starts_with(what) || value[what.size()] != ':') return false;
  const auto layers = parse_count(value.substr(what.size() + 1), most_layers_a_checkpoint);
  options.layers_a_checkpoint = layers.value_or(0);
  return layers.has_value();
}

bool set_schedule(std::string_view value, StrategyOptions& options) {
  options.schedule = value == "gpipe" ? PipelineSchedule::gpipe : PipelineSchedule::one_forward_one_backward;
  return value == "gpipe" || value == "1f1b";
}

bool set_outer(std::string_view value, StrategyOptions& options) {
  options.outer_nesterov = value == "nesterov";
  return options.outer_nesterov || value == "average";
}

bool set_outer_momentum(std::string_view value, StrategyOptions& options) {
  options.outer_momentum = parse_number<float>(value).value_or(-1);
  return options.outer_momentum >= 0 && options.outer_momentum < 1;
}

bool set_outer_rate(std::string_view value, StrategyOptions& options) {
  options.outer_rate = parse_number<float>(value).value_or(0);
  return options.outer_rate > 0 && options.outer_rate <= 10;
}

}  // namespace

std::span<const StrategyOptionInfo> strategy_option_table() {
  static const std::array table{
      StrategyOptionInfo{"buckets",
                         "a size such as 4MB",
                         "size of a bucket of gradients, sent during the backward pass",
                         set_bytes<&StrategyOptions::bucket_bytes>,
                         {"1kB", "16kB", "256kB"}},
      StrategyOptionInfo{"first-bucket",
                         "a size such as 1MB",
                         "size of the first bucket; a smaller one is sent sooner",
                         set_bytes<&StrategyOptions::first_bucket_bytes>,
                         {"512B", "8kB"}},
      StrategyOptionInfo{"compress",
                         legal_compressions(),
                         "how gradients are compressed before they are sent",
                         set_compression,
                         {"bf16", "fp16", "int8", "topk:0.1", "powersgd:2", "onebit"}},
      StrategyOptionInfo{"clip",
                         "a number above 0",
                         "gradient clipping: largest norm of the whole gradient",
                         set_clip,
                         {"0.01", "1"}},
      StrategyOptionInfo{"accumulate",
                         "a whole number from 1 to 4096",
                         "gradient accumulation: micro-batches that a rank's rows are split into",
                         set_count<&StrategyOptions::accumulate, most_micro_batches>,
                         {"2", "3", "4"}},
      StrategyOptionInfo{"checkpoint",
                         "activations, or activations:K to keep one in K layers",
                         "activation checkpointing: the others are recomputed in the backward pass",
                         set_checkpoint,
                         {"activations", "activations:1", "activations:3"}},
      StrategyOptionInfo{
          "schedule",
          "gpipe or 1f1b",
          "gpipe: all micro-batches forward, then all backward; 1f1b: forward and backward alternate",
          set_schedule,
          {"gpipe", "1f1b"}},
      StrategyOptionInfo{"micro-batches",
                         "a whole number from 1 to 4096",
                         "micro-batches that the batch is split into",
                         set_count<&StrategyOptions::micro_batches, most_micro_batches>,
                         {"1", "2", "3", "8"}},
      StrategyOptionInfo{"data",
                         "a whole number from 1 to 65536",
                         "data-parallel groups of ranks",
                         set_count<&StrategyOptions::data, most_ranks>,
                         {"1", "2"}},
      StrategyOptionInfo{"tensor",
                         "a whole number from 1 to 65536",
                         "ranks that split each layer",
                         set_count<&StrategyOptions::tensor, most_ranks>,
                         {"2", "3"}},
      StrategyOptionInfo{"pipeline",
                         "a whole number from 1 to 65536",
                         "ranks that hold the stages of the model",
                         set_count<&StrategyOptions::pipeline, most_ranks>,
                         {"2", "3"}},
      StrategyOptionInfo{"period",
                         "a number of steps from 1 to 1000000",
                         "steps between two averages of the parameters",
                         set_count<&StrategyOptions::period, most_steps>,
                         {"1", "2", "5"}},
      StrategyOptionInfo{"outer",
                         "average or nesterov",
                         "average: take the mean of the parameters; nesterov: an outer step with momentum",
                         set_outer,
                         {"average", "nesterov"}},
      StrategyOptionInfo{"outer-momentum",
                         "a number from 0 to below 1",
                         "momentum of outer=nesterov",
                         set_outer_momentum,
                         {"0.5"}},
      StrategyOptionInfo{"outer-rate",
                         "a positive number up to 10",
                         "learning rate of outer=nesterov",
                         set_outer_rate,
                         {"0.3", "1"}},
  };
  return table;
}

}  // namespace breakeven
